#pragma once

#include "model/channels_last.h"
#include "model/graphdef/row.h"

namespace tenure::graphdef {

/// Whether a node's images are [N,C,...]; the kernels want channels last.
bool is_channels_first(const Call& call);

}  // namespace tenure::graphdef
