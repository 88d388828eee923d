#pragma once

#include <functional>

#include "ops/cases/elementwise.h"
#include "ops/cases/finite_differences.h"

/// Gradient checks shared by the CPU and the GPU. `put` moves a tensor to the backend under test.
namespace tenure::cases {

using Put = std::function<Tensor(const Tensor&)>;

/// Compares the gradients of the elementwise rows, and the gradients of these, with the derivatives of the
/// rows' expressions in double, wherever these are smooth.
void check_elementwise_gradients(const Put& put, double tolerance);

/// Compares the gradients of broadcast inputs with the sums of the gradients of repeated inputs.
void check_broadcast_gradients(const Put& put, double tolerance);

}  // namespace tenure::cases
