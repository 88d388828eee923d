#pragma once

#include <functional>

#include "import/keras/layer.h"

namespace tenure::keras {

using ShapeFunction = std::function<Tensors(const Tensors&)>;

/// The specs of what `f` returns for inputs of which some extents are not known: runs it without data, with
/// different numbers in their place. What differs in a result is not known there. Throws what `f` throws when
/// it takes none of the numbers tried.
Specs probe_specs(const Specs& inputs, const ShapeFunction& f);

/// "[null,4]"
std::string shape_text(const Shape& shape);

}  // namespace tenure::keras
