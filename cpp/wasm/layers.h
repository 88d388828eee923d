#pragma once

#include <memory>
#include <vector>

#include "model/keras/network.h"

namespace tenure::wasm {

/// Gives a layer a number, by which JavaScript knows it until tn_drop_layer().
int add_layer(keras::LayerPtr layer);
/// Throws for a number that is none's.
const keras::LayerPtr& find_layer(int number);
/// Likewise for one that is no network.
std::shared_ptr<keras::Network> find_network(int number);

/// A layer's weights, in TensorFlow.js's order but for what does not train, with names that begin with its
/// own.
std::vector<keras::NamedWeight> weights_of(keras::Layer& layer);

/// Takes the values that JavaScript has given weights since; true where one is another. Throws for one that
/// was disposed.
bool pull_weights(const std::vector<keras::NamedWeight>& weights);

/// Gives JavaScript the values that weights have now.
void push_weights(const std::vector<keras::NamedWeight>& weights);

}  // namespace tenure::wasm
