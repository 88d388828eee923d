#pragma once

#include <functional>

#include "ops/cases/elementwise.h"
#include "ops/cases/slopes.h"

/// The checks of gradients that the CPU and the GPU share. `put` moves a tensor to where it is to be
/// computed.
namespace tenure::cases {

using Put = std::function<Tensor(const Tensor&)>;

/// Compares the gradients of the elementwise rows, and theirs in turn, with those of their expressions in
/// double, wherever these are smooth.
void check_elementwise_gradients(const Put& put, double tolerance);

/// Compares the gradients of what is broadcast with the sums of those of what is repeated instead.
void check_broadcast_gradients(const Put& put, double tolerance);

}  // namespace tenure::cases
