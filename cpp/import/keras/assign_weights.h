#pragma once

#include "import/keras/network.h"
#include "model/files/weights.h"

namespace tenure::keras {

/// Gives the declared weights of a network their values. Names match as they are, without the cell's name
/// that some versions put before the last part, or without leading parts. Where `strict`, the names that
/// Keras 3 gives, which end in a number, are taken in order if number and shapes agree. Throws, with
/// TensorFlow.js's words, for a wrong shape and, where `strict`, for a tensor without a weight and a weight
/// without a tensor.
void assign_weights(Network& network, const std::vector<NamedTensor>& tensors, bool strict);

}  // namespace tenure::keras
