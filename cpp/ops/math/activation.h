#pragma once

#include "core/attrs.h"
#include "core/tensor.h"

namespace tenure {

/// The activation that ops have as an attribute, as an op of its own.
Tensor activated(const Tensor& x, Activation activation, float alpha);

}  // namespace tenure
