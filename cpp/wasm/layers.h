#pragma once

#include <memory>
#include <vector>

#include "import/keras/network.h"

namespace tenure::wasm {

/// Gives a layer a number, by which JavaScript knows it until drop_layer().
int add_layer(keras::LayerPtr layer);
/// Forgets the layer that has the number, if there is one.
void drop_layer(int number);
/// Throws for a number that is none's.
const keras::LayerPtr& find_layer(int number);
/// Likewise for one that is no network.
std::shared_ptr<keras::Network> find_network(int number);

/// A layer's weights, in TensorFlow.js's order but for what does not train, with names that begin with its
/// own.
std::vector<keras::NamedWeight> weights_of(keras::Layer& layer);

/// How often weights were given other values. Plans hold what weights were when they were made, and networks
/// may share weights: who keeps plans knows by this, and by `changed_at`, which of them are old.
std::uint64_t weight_changes();
/// Notes that a weight has another value.
void note_change(keras::Weight& weight);

/// Takes the values that JavaScript has given weights since. Throws for one that was disposed.
void pull_weights(const std::vector<keras::NamedWeight>& weights);

/// Gives JavaScript the values that weights have now.
void push_weights(const std::vector<keras::NamedWeight>& weights);

}  // namespace tenure::wasm
