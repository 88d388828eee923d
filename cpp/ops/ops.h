#pragma once

#include "core/dispatch.h"

/// The ops as C++ functions, one for each row of ops/ops.def: add(x, y), conv2d(x, filter, bias, {.stride_h =
/// 2}). Shapes, types and errors are those of TensorFlow.js's op of the same name.
namespace tenure {

#define UNARY(name, js, rule, A, expression)                        \
  inline Tensor name(const Tensor& x, const A##Attrs& attrs = {}) { \
    return run(Op::name, {&x}, AttrsView(attrs));                   \
  }
#define BINARY(name, js, rule, expression) \
  inline Tensor name(const Tensor& x, const Tensor& y) { return run(Op::name, {&x, &y}); }
#define VIEW(name, js, A)                                           \
  inline Tensor name(const Tensor& x, const A##Attrs& attrs = {}) { \
    return run(Op::name, {&x}, AttrsView(attrs));                   \
  }
#define STRUCTURAL(name, js, least, most, A) \
  inline Tensor name(Inputs in, const A##Attrs& attrs = {}) { return run(Op::name, in, AttrsView(attrs)); }
#define COMPOSED(name, js, least, most, A)                     \
  inline Tensors name(Inputs in, const A##Attrs& attrs = {}) { \
    return run_all(Op::name, in, AttrsView(attrs));            \
  }
#include "ops/ops.def"

}  // namespace tenure
