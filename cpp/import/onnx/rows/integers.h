#pragma once

#include <limits>

#include "import/onnx/row.h"
#include "ops/ops.h"

/// Arithmetic of integers. Those of 64 bits are int32 in the engine: a result beyond it is an error, which on
/// WebGPU the next read reports. Others wrap around.
namespace tenure::onnx {

/// True if input i has integers of 64 bits.
inline bool has_64_bits(const Call& call, int i) {
  return has_64_bits(element_type(call, i)) && call[i].dtype() == DType::kInt32;
}

/// True for types of integers that int32 does not hold all.
constexpr bool is_wide(ElementType type) { return has_64_bits(type) || type == ElementType::kUint32; }

/// Computes a binary op of arithmetic. `type` and `other` are the types of a and b.
Tensor run_arithmetic(Op op, const Tensor& a, const Tensor& b, ElementType type, ElementType other);
/// Returns quotients of integers, truncated toward zero.
Tensor divide_toward_zero(const Tensor& a, const Tensor& b, ElementType type, ElementType other);
/// Returns x as `dtype`. Finite floats beyond int32 as integers of a wide type are errors.
Tensor from_floats(const Tensor& x, DType dtype, ElementType type);

/// Returns x. Integers of uint32, of which those beyond int32 are negative in the engine, become int32 of the
/// same order; the same function turns them back.
inline Tensor flip_order(const Tensor& x, bool is_uint32) {
  return is_uint32 ? add(x, Tensor::scalar(std::numeric_limits<std::int32_t>::min())) : x;
}
/// True if an input is of uint32.
bool has_uint32(const Call& call);

// The following are exact, or errors if int32 does not hold a result.

/// Returns absolute values: x * sign(x).
Tensor absolute_checked(const Tensor& x);
/// Returns sums or products along axes.
Tensor reduce_checked(IntegerArithmetic op, const Tensor& x, const ReduceAttrs& attrs);
/// Returns means along axes, truncated toward zero. That of no elements is 0. Throws NeedsValues if x is
/// symbolic and the means are those of more than 46341 elements.
Tensor mean_checked(const Tensor& x, const ReduceAttrs& attrs);
/// Returns Euclidean norms along axes, computed in double and truncated. Throws NeedsValues if x is symbolic.
Tensor norm_checked(const Tensor& x, const ReduceAttrs& attrs);
/// Returns cumulative sums or products.
Tensor cumulate_checked(IntegerArithmetic op, const Tensor& x, const CumulateAttrs& attrs);
/// Multiplies matrices as mat_mul() does, without an activation.
Tensor multiply_checked(const Tensor& a, const Tensor& b, const MatMulAttrs& attrs);

}  // namespace tenure::onnx
