#pragma once

#include "core/for_each.h"
#include "core/run/op.h"

namespace tenure {

/// Arguments of a gradient function. Tensors that the op's row does not save have a shape and a dtype, but no
/// data.
struct GradientArgs {
  Inputs in;
  AttrsView attrs;
  const Tensor& out;
  /// Gradient of the output.
  const Tensor& g;
  /// Ids of the inputs' values; 0 for an input whose gradient is not needed.
  std::span<const TraceId> input_ids;

  /// True if the gradient of input `i` is needed.
  bool needs_grad(int i) const { return input_ids[static_cast<std::size_t>(i)] != 0; }
};

/// Function that returns one gradient per input. The gradient of a broadcast input may have the output's
/// shape (sum_to() reduces it). An empty tensor means zero or not needed.
using GradientFn = Tensors (*)(const GradientArgs&);

/// Returns one gradient per input of an op, given that of its output. An empty tensor means zero or not
/// needed. The op must have a gradient rule (Gradient::kRule).
Tensors compute_gradients(Op op, const GradientArgs& args);

/// Returns a gradient summed along the axes that its input was broadcast along, in the input's `shape`.
Tensor sum_to(const Tensor& gradient, const Shape& shape);

}  // namespace tenure

/// Gradients of the structural ops, written with ops; for example grad::conv2d in ops/nn/conv.cpp.
/// gradient.cpp wraps each in a GradientFn.
namespace tenure::grad {

#define DECLARE_IF_SAVES(...) DECLARE
#define DECLARE_IF_ZERO IGNORE
#define DECLARE_IF_NONE IGNORE
#define DECLARE(name, A) Tensors name(const GradientArgs& args, const A##Attrs& attrs);
#define IGNORE(name, A)
#define STRUCTURAL(name, js, inputs, A, gradient, ...) DECLARE_IF_##gradient(name, A)
#define OTHER_ROWS(...)
#include "lists/ops.def"
#undef DECLARE_IF_SAVES
#undef DECLARE_IF_ZERO
#undef DECLARE_IF_NONE
#undef DECLARE
#undef IGNORE

}  // namespace tenure::grad
