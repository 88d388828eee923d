#pragma once

#include "import/keras/training/batch.h"

namespace tenure::wasm {

/// Reads a model's losses and metrics from the scratch: `losses` pairs of an op and a weight, then `metrics`
/// pairs of an op and the number of an output. An op of -1 means none.
Objective objective_in_scratch(int losses, int metrics);

/// Runs one step on a batch: a training step if there are attributes of an optimizer, else an evaluation.
/// Returns the number of results, which are then in the scratch, or 0 if they are only on a device: the
/// scratch then describes a tensor of them. Before, the scratch has ids: the inputs, the targets, as many
/// sample weights, 0 for none; the order of the rows, 0 for their own order; each of `moving` weights,
/// followed by its `slots` slots; and then `attr_words` words of attributes.
int run_batch(LayersModel& model, const std::vector<keras::NamedWeight>& weights, const Objective& objective,
              const RowRange& rows, int moving, int slots, int attr_words);

}  // namespace tenure::wasm
