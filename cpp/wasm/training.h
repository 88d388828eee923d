#pragma once

#include "import/keras/training/trainer.h"

namespace tenure::wasm {

/// What the scratch says to train towards: the losses, an op and a weight each, then the metrics, an op and
/// the number of an output each. An op of -1 is none.
Objective objective_in_scratch(int losses, int metrics);

/// Which rows of the tensors that a step is given are its batch.
struct Rows {
  int first;
  int count;
};

/// One step on a batch, and a step of training where there are attributes of an optimizer; gives how many
/// numbers then stand in the scratch. What stood there are ids: the inputs, the targets, as many weights of
/// samples, 0 for none; the order of the rows, 0 for that in which they lie; then each of `moving` weights,
/// with so many slots behind it; and behind them the attributes.
int run_step(LayersModel& model, const std::vector<keras::NamedWeight>& weights, const Objective& objective,
             const Rows& rows, int moving, int slots, int attr_words);

}  // namespace tenure::wasm
