#pragma once

#include "cpu/elementwise/elementwise.h"

/// The elementwise ops of lists/ops.def as functions on lanes.
namespace tenure::cpu::expressions {

// Names have a prefix, because inside a struct named exp, exp(x) would be its constructor. The functions that
// an expression calls are found by argument-dependent lookup in the namespace of its lanes.
using simd::kInfinity;
#define UNARY(name, js, rule, A, expression, ...)                              \
  struct unary_##name {                                                        \
    template <class V>                                                         \
    TENURE_INLINE static auto apply(V x, [[maybe_unused]] const A##Attrs& p) { \
      return expression;                                                       \
    }                                                                          \
  };
#define BINARY(name, js, a, b, rule, expression, ...) \
  struct binary_##name {                              \
    template <class V>                                \
    TENURE_INLINE static auto apply(V x, V y) {       \
      return expression;                              \
    }                                                 \
  };
#include "lists/ops.def"

}  // namespace tenure::cpu::expressions

namespace tenure::cpu {

// Cheap ops: unrolled, because the loop overhead would outweigh the arithmetic.
template <>
inline constexpr int kUnroll<expressions::unary_neg> = 4;
template <>
inline constexpr int kUnroll<expressions::unary_abs> = 4;
template <>
inline constexpr int kUnroll<expressions::unary_square> = 4;
template <>
inline constexpr int kUnroll<expressions::unary_relu> = 4;
template <>
inline constexpr int kUnroll<expressions::unary_relu6> = 4;
template <>
inline constexpr int kUnroll<expressions::unary_clip_by_value> = 4;
template <>
inline constexpr int kUnroll<expressions::unary_leaky_relu> = 4;
template <>
inline constexpr int kUnroll<expressions::binary_prelu> = 4;
template <>
inline constexpr int kUnroll<expressions::binary_squared_difference> = 4;
template <>
inline constexpr int kUnroll<expressions::binary_add> = 4;
template <>
inline constexpr int kUnroll<expressions::binary_sub> = 4;
template <>
inline constexpr int kUnroll<expressions::binary_mul> = 4;
template <>
inline constexpr int kUnroll<expressions::binary_maximum> = 4;
template <>
inline constexpr int kUnroll<expressions::binary_minimum> = 4;
// Ops with many constants: unrolled, so that each constant is loaded once per iteration.
template <>
inline constexpr int kUnroll<expressions::unary_elu> = 2;
template <>
inline constexpr int kUnroll<expressions::unary_exp> = 8;
template <>
inline constexpr int kUnroll<expressions::unary_log> = 3;
template <>
inline constexpr int kUnroll<expressions::unary_sigmoid> = 8;
template <>
inline constexpr int kUnroll<expressions::unary_swish> = 4;
template <>
inline constexpr int kUnroll<expressions::unary_tanh> = 2;

}  // namespace tenure::cpu
