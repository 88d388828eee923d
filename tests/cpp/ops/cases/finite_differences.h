#pragma once

#include "ops/autodiff/backward.h"
#include "ops/cases/case.h"

namespace tenure::cases {

/// Case as a function of floats. The arguments are the inputs whose gradients are tested, complex ones as two
/// parts. The result is all float outputs, concatenated if there are several.
struct Function {
  Tensors xs;
  std::function<Tensor(const Tensors&)> f;
};

Function make_function(const OpCase& c, const Tensors& inputs);

/// True if the case has a gradient to compare.
bool has_gradient_check(const OpCase& c);

/// Returns weights for the elements of a result, so that each element has a different gradient.
Tensor make_weights(const Shape& shape);

/// Returns the gradients for all xs of each of several functions: of the case itself and, if `twice`, of each
/// of its gradients.
std::vector<Tensors> compute_gradients(const Function& function, bool twice);

/// Returns what compute_gradients() returns, computed as finite differences of the function and of its
/// gradients.
std::vector<Tensors> finite_differences(const Function& function, bool twice);

}  // namespace tenure::cases
