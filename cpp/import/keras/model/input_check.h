#pragma once

#include "import/keras/model/layers_model.h"

namespace tenure {

/// Throws TensorFlow.js's message unless the specs match the model's inputs in number and shape. The batch
/// size is free.
void check_inputs(std::span<const TensorSpec> given, std::span<const ModelPort> inputs);

/// Returns a tensor in the form that `input` takes: a vector becomes a column [n, 1], and other dtypes become
/// float32 if the input is float32.
Tensor adapt_input(const Tensor& given, const ModelPort& input);

/// Returns the tensors in the order of the model's inputs. Other names are ignored. Throws if an input is
/// missing.
Tensors order_inputs(std::span<const NamedInput> given, std::span<const ModelPort> inputs);

}  // namespace tenure
