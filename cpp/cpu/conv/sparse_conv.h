#pragma once

#include "core/run/backend.h"

namespace tenure::cpu {

/// Prepares a conv2d whose constant filter is a SparseWeight. Returns null unless the window is one pixel of
/// stride 1 without padding, in one group, and the filter has enough elements to gain by it.
std::unique_ptr<PreparedKernel> prepare_sparse_conv2d(Inputs in, const ConvAttrs& attrs);

}  // namespace tenure::cpu
