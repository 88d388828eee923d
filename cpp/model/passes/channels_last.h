#pragma once

#include "core/tensor.h"

namespace tenure {

/// Transposes [N,C,...] to [N,...,C], the layout of the kernels. Returns `x` unless `channels_first` and of
/// rank 3 or more.
Tensor to_channels_last(const Tensor& x, bool channels_first);
/// Transposes [N,...,C] to [N,C,...]. Returns `x` unless `channels_first` and of rank 3 or more.
Tensor from_channels_last(const Tensor& x, bool channels_first);

}  // namespace tenure
