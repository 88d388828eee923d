#pragma once

#include "core/attrs.h"
#include "core/tensor.h"

namespace tenure {

/// The activation that ops have as an attribute, as ops of its own. An elu's alpha of 0 means 1, as in the
/// kernels.
Tensor activated(const Tensor& x, Activation activation, float alpha);

}  // namespace tenure
