#pragma once

#include "core/for_each.h"
#include "core/run/op.h"

namespace tenure {

/// What a gradient gets. What the row does not save has a shape and a type, but no data.
struct GradientArgs {
  Inputs in;
  AttrsView attrs;
  const Tensor& out;
  /// The gradient of the output.
  const Tensor& g;
  /// The inputs' numbers: 0 for one whose gradient nobody asks for.
  std::span<const ValueNumber> numbers;

  bool wants(int i) const { return numbers[static_cast<std::size_t>(i)] != 0; }
};

/// Gives the gradient of each input, in the shape of the output where the input was broadcast; an empty one
/// is zero, or was not asked for.
using GradientFn = Tensors (*)(const GradientArgs&);

/// The gradients of an op's inputs, one for each, given that of its output; an empty one is zero, or was not
/// asked for. Throws for an op that has none.
Tensors gradients_of(Op op, const GradientArgs& args);

/// Adds up what an input was broadcast along, so that its gradient has its shape.
Tensor sum_to(const Tensor& gradient, const Shape& shape);

}  // namespace tenure

/// The gradients of structural ops, grad::conv2d in ops/nn/conv.cpp, in terms of ops: each is a GradientFn.
namespace tenure::grad {

#define DECLARE_IF_SAVES(...) DECLARE
#define DECLARE_IF_ZERO IGNORE
#define DECLARE_IF_NONE IGNORE
#define DECLARE(name, A) Tensors name(const GradientArgs& args, const A##Attrs& attrs);
#define IGNORE(name, A)
#define STRUCTURAL(name, js, inputs, A, ...) DECLARE_IF_##__VA_ARGS__(name, A)
#include "lists/ops.def"
#undef DECLARE_IF_SAVES
#undef DECLARE_IF_ZERO
#undef DECLARE_IF_NONE
#undef DECLARE
#undef IGNORE

}  // namespace tenure::grad
