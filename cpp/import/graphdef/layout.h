#pragma once

#include "import/graphdef/row.h"
#include "model/passes/channels_last.h"

namespace tenure::graphdef {

/// True if a node's images have the layout [N,C,...]. The kernels need channels last.
bool is_channels_first(const Call& call);

}  // namespace tenure::graphdef
