#pragma once

#include <cstdint>

#include "core/tensor.h"
#include "model/keras/config.h"

namespace tenure::keras {

/// Whether data_format is channels_first; the kernels want channels last, so such layers transpose around
/// themselves.
bool is_channels_first(const Config& config);
/// [N,C,...] to [N,...,C]; `x` itself unless `channels_first`.
Tensor to_channels_last(const Tensor& x, bool channels_first);
/// [N,...,C] to [N,C,...]; `x` itself unless `channels_first`.
Tensor from_channels_last(const Tensor& x, bool channels_first);

/// An extent computed in 64 bits; throws where it does not fit a shape.
std::int32_t to_extent(std::int64_t extent);

}  // namespace tenure::keras
