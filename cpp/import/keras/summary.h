#pragma once

#include "import/keras/model/layers_model.h"
#include "import/keras/network.h"

namespace tenure::keras {

/// Returns the layers of a network with the shapes and connections of all their calls.
std::vector<LayerInfo> describe_layers(const Network& network, const std::vector<Specs>& specs);

/// Returns the text that TensorFlow.js's model.summary() prints; see LayersModel::summary().
std::string summarize(Network& network, const std::vector<Specs>& specs, int line_length);

}  // namespace tenure::keras
