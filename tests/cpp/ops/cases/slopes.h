#pragma once

#include "ops/autodiff/backward.h"
#include "ops/cases/case.h"

namespace tenure::cases {

/// A case as a function of floats: of those of its inputs whose gradients are asked for, complex ones in two
/// parts, to all of its outputs that are floats, behind each other where they are several.
struct Function {
  Tensors xs;
  std::function<Tensor(const Tensors&)> f;
};

Function function_of(const OpCase& c, const Tensors& inputs);

/// Whether there is a gradient to compare.
bool has_slopes(const OpCase& c);

/// What weighs the elements of a result, so that each has another gradient.
Tensor weights_for(const Shape& shape);

/// The gradients for all xs of each function in turn, the first of which is the case itself, and the others,
/// where `twice`, are its gradients.
std::vector<Tensors> gradients_of(const Function& function, bool twice);

/// The same as gradients_of(), by small steps of the function or of its gradients.
std::vector<Tensors> slopes_of(const Function& function, bool twice);

}  // namespace tenure::cases
