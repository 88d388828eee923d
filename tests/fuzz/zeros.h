#pragma once

#include "core/error.h"
#include "core/tensor.h"
#include "ops/ops.h"

namespace tenure::fuzz {

/// Returns an input for a port: unknown extents become 1. Throws for large inputs.
inline Tensor zeros(Shape shape, DType dtype) {
  for (std::int32_t& extent : shape) extent = extent < 0 ? 1 : extent;
  shape.validate();
  check_shape(shape.elements() <= 4096, "too large an input to try, ", shape);
  if (dtype == DType::kString || dtype == DType::kComplex64) return Tensor({shape, dtype});
  return fill({.shape = shape, .dtype = dtype});
}

}  // namespace tenure::fuzz
