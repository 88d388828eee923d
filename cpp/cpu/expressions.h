#pragma once

#include "cpu/elementwise.h"

/// The elementwise rows of ops/ops.def as functions of lanes.
namespace tenure::cpu::expressions {

// Names carry a prefix: inside a struct named exp, exp(x) would be the struct's constructor. The functions of
// an expression are found by its lanes' namespace.
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
    static auto apply(V x, V y) {                     \
      return expression;                              \
    }                                                 \
  };
#include "ops/ops.def"

}  // namespace tenure::cpu::expressions

namespace tenure::cpu {

template <>
inline constexpr int kVectorsOf<expressions::unary_exp> = 4;
template <>
inline constexpr int kVectorsOf<expressions::unary_log> = 3;
template <>
inline constexpr int kVectorsOf<expressions::unary_sigmoid> = 4;
template <>
inline constexpr int kVectorsOf<expressions::unary_swish> = 4;
template <>
inline constexpr int kVectorsOf<expressions::unary_tanh> = 2;

}  // namespace tenure::cpu
