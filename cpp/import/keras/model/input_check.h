#pragma once

#include "import/keras/model/layers_model.h"

namespace tenure {

/// Throws, with TensorFlow.js's words, unless the tensors given are as many as the model's inputs and fit
/// their shapes; the size of the batch is free.
void check_inputs(std::span<const TensorSpec> given, std::span<const ModelPort> inputs);

/// Brings a tensor into the form that an input wants: a vector becomes a column, integers become floats.
Tensor adapt_input(const Tensor& given, const ModelPort& input);

/// The tensors in the order of the model's inputs; what is named beside them is left out. Throws when one is
/// missing.
Tensors order_inputs(std::span<const NamedInput> given, std::span<const ModelPort> inputs);

}  // namespace tenure
