#pragma once

#include "core/run/op_traits.h"
#include "cpu/elementwise/elementwise.h"

/// The elementwise ops of lists/ops.def as functions on lanes.
namespace tenure::cpu::expressions {

// Names have a prefix, because inside a struct named exp, exp(x) would be its constructor. The functions that
// an expression calls are found by argument-dependent lookup in the namespace of its lanes.
using simd::kInfinity;
#define UNARY(name, js, rule, A, expression, ...)                              \
  struct unary_##name {                                                        \
    static constexpr int kUnroll = op_traits(Op::name).unroll;                 \
    template <class V>                                                         \
    TENURE_INLINE static auto apply(V x, [[maybe_unused]] const A##Attrs& p) { \
      return expression;                                                       \
    }                                                                          \
  };
#define BINARY(name, js, a, b, rule, expression, ...)          \
  struct binary_##name {                                       \
    static constexpr int kUnroll = op_traits(Op::name).unroll; \
    template <class V>                                         \
    TENURE_INLINE static auto apply(V x, V y) {                \
      return expression;                                       \
    }                                                          \
  };
#define OTHER_ROWS(...)
#include "lists/ops.def"

}  // namespace tenure::cpu::expressions
