#pragma once

#include <memory>
#include <vector>

#include "import/keras/network.h"

namespace tenure::wasm {

/// Assigns a number to a layer, by which JavaScript refers to it until drop_layer(). Returns the number.
int add_layer(keras::LayerPtr layer);
/// Frees the number of a layer. Does nothing if no layer has it.
void drop_layer(int number);
/// Returns the layer with this number. Throws if there is none.
const keras::LayerPtr& find_layer(int number);
/// Returns the network with this number. Throws if there is none, or if it is another layer.
std::shared_ptr<keras::Network> find_network(int number);

/// Returns a layer's weights with their full names. The order is TensorFlow.js's, except that weights that do
/// not train are not moved to the end.
std::vector<keras::NamedWeight> get_weights(keras::Layer& layer);

/// Returns the number of weight changes so far. Plans embed the values of weights, and networks may share
/// weights: an owner of plans finds stale ones by this counter and Weight::changed_at.
std::uint64_t weights_version();
/// Counts a change of a weight and stores its number in Weight::changed_at.
void bump_version(keras::Weight& weight);

/// Copies the values of the weights' handles, which JavaScript may have assigned, into the weights. Throws
/// DisposedError for a disposed handle.
void pull_weights(const std::vector<keras::NamedWeight>& weights);

/// Assigns the weights' values to their handles.
void push_weights(const std::vector<keras::NamedWeight>& weights);

}  // namespace tenure::wasm
