#pragma once

#include "core/tensor.h"

namespace tenure {

/// x repeated along dimensions of 1, and along new ones in front. Throws when x does not fit the shape.
Tensor broadcast_to(const Tensor& x, const Shape& shape);

}  // namespace tenure
