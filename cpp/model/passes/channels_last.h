#pragma once

#include "core/tensor.h"

namespace tenure {

/// [N,C,...] to [N,...,C], as the kernels want images; `x` itself unless `channels_first`.
Tensor to_channels_last(const Tensor& x, bool channels_first);
/// [N,...,C] to [N,C,...]; `x` itself unless `channels_first`.
Tensor from_channels_last(const Tensor& x, bool channels_first);

}  // namespace tenure
