#pragma once

#include "model/keras/network.h"

namespace tenure::keras {

/// What every call of a network returns, by index of the call; unknown extents are -1.
using NetworkShapes = std::vector<std::vector<Shape>>;

/// Runs the network twice without data, with different numbers for the unknown extents of its inputs: what
/// differs in a result is unknown there. Declares the weights on the way. Throws when the layers fit together
/// at no size tried.
NetworkShapes probe_shapes(Network& network);

/// "[null,4]"
std::string shape_text(const Shape& shape);

}  // namespace tenure::keras
