#pragma once

#include "core/tensor.h"

namespace tenure {

/// Returns `size` elements along one axis, starting at `begin`.
Tensor slice_axis(const Tensor& x, int axis, std::int32_t begin, std::int32_t size);

}  // namespace tenure
