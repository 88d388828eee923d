#pragma once

#include "model/keras/shapes.h"
#include "model/layers_model.h"

namespace tenure::keras {

/// The layers of a network with the shapes and connections of all their calls.
std::vector<LayerInfo> describe_layers(const Network& network, const NetworkShapes& shapes);

/// What TensorFlow.js's model.summary() prints; see LayersModel::summary.
std::string summarize(Network& network, const NetworkShapes& shapes, int line_length);

}  // namespace tenure::keras
