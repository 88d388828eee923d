#pragma once

#include <functional>

#include "import/keras/layer.h"

namespace tenure::keras {

using ShapeFunction = std::function<Tensors(const Tensors&)>;

/// Returns the specs of f(inputs) where some extents of the inputs are unknown (-1). Runs `f` without data
/// for several trial sizes; extents that differ between the results are unknown. Throws the first error of
/// `f` if no trial size works.
Specs probe_specs(const Specs& inputs, const ShapeFunction& f);

/// Returns a shape as JSON, with null for unknown extents: "[null,4]".
std::string shape_text(const Shape& shape);

}  // namespace tenure::keras
