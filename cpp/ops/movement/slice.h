#pragma once

#include "core/tensor.h"

namespace tenure {

/// `size` elements along one axis, from `begin` on.
Tensor part_of(const Tensor& x, int axis, std::int32_t begin, std::int32_t size);

}  // namespace tenure
