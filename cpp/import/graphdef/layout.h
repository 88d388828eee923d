#pragma once

#include "import/graphdef/row.h"
#include "model/passes/channels_last.h"

namespace tenure::graphdef {

/// Whether a node's images are [N,C,...]; the kernels want channels last.
bool is_channels_first(const Call& call);

}  // namespace tenure::graphdef
