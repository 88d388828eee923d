#pragma once

#include "import/onnx/row.h"

namespace tenure::onnx {

inline Tensor to_float(const Tensor& x) { return as_dtype(x, DType::kFloat32); }

/// Rounds to a type of small integers, halves to even numbers, adds a zero point, which may be empty, and
/// clamps to the type's range.
Tensor saturate_to(const Tensor& x, const Tensor& zero, ElementType type);

/// Multiplies integers as NumPy's matmul, without their zero points, which may be empty. Returns int32.
Tensor integer_product(const Tensor& a, const Tensor& zero_a, const Tensor& b, const Tensor& zero_b);

}  // namespace tenure::onnx
