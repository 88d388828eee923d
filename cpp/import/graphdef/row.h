#pragma once

#include "import/graphdef/attributes.h"
#include "model/executor/row.h"

namespace tenure::graphdef {

using namespace executor;

/// Returns the row of an op, or null for an unknown op.
const Row* find_row(std::string_view op);

}  // namespace tenure::graphdef
