#pragma once

#include "core/attrs.h"
#include "core/tensor.h"

namespace tenure {

/// Returns the activation of x, which fused ops have as an attribute, run as a separate op; x itself for
/// kLinear.
Tensor activated(const Tensor& x, Activation activation, float alpha);

}  // namespace tenure
