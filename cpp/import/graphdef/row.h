#pragma once

#include "import/graphdef/attributes.h"
#include "model/executor/row.h"

namespace tenure::graphdef {

using namespace executor;

/// The row of an op; null for one that is not known.
const Row* find_row(std::string_view op);

}  // namespace tenure::graphdef
