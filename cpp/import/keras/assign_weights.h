#pragma once

#include "import/keras/network.h"
#include "model/files/weights.h"

namespace tenure::keras {

/// Sets the weights of a network from `tensors`. A name matches exactly, without the cell's name that some
/// versions put before the last part, or without leading parts. If `strict`, tensors with numbers for names
/// (Keras 3) are assigned in order if their count and shapes match. Throws TensorFlow.js's message for a
/// wrong shape and, if `strict`, for a tensor without a weight or a weight without a tensor.
void assign_weights(Network& network, const std::vector<NamedTensor>& tensors, bool strict);

}  // namespace tenure::keras
