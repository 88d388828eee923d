#pragma once

#include <span>
#include <vector>

#include "import/keras/layer.h"
#include "import/keras/model/layers_model.h"

namespace tenure {

/// What a model is trained towards, or judged by: losses and metrics are ops of targets and outputs.
struct Objective {
  struct Loss {
    Op op;  ///< Op::kCount for an output that has none
    float weight = 1;
  };
  struct Metric {
    Op op;
    std::size_t output;
  };
  std::vector<Loss> losses;  ///< one for each output
  std::vector<Metric> metrics;
};

/// A batch of samples, in the order of the model's inputs and outputs.
struct Batch {
  Tensors inputs;
  Tensors targets;
  /// One weight for each sample of an output, or none.
  Tensors weights;
};

/// A weight that an optimizer moves, and what it remembers of it.
struct Moving {
  keras::Weight* weight;
  Tensors slots;
};

/// One step of training: forward, backward, update, constraints. Gives the loss, with what regularizers add;
/// then, where there are several outputs, the loss of each; then the metrics. A throw before the update
/// leaves the weights that move as they were.
std::vector<float> train_step(LayersModel& model, const Objective& objective, const Batch& batch,
                              const UpdateAttrs& update, std::span<Moving> moving);

/// The same numbers for a batch that nothing is learned from, without what regularizers add.
std::vector<float> judge(LayersModel& model, const Objective& objective, const Batch& batch);

}  // namespace tenure
