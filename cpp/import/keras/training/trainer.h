#pragma once

#include <span>
#include <vector>

#include "import/keras/layer.h"
#include "import/keras/model/layers_model.h"

namespace tenure {

/// Losses and metrics of a model in training or evaluation; each is an op of targets and outputs.
struct Objective {
  struct Loss {
    Op op;  ///< Op::kCount for an output without a loss
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
  /// Sample weights [batch] of each output; empty tensors, or none, for unweighted outputs.
  Tensors weights;
};

/// Trainable weight with the slots that the optimizer keeps for it.
struct TrainableParam {
  keras::Weight* weight;
  Tensors slots;
};

/// Runs one training step: forward, backward, update, constraints. Returns a float32 vector: the total loss,
/// including regularizers, then the loss of each output if there are several, then the metrics. It is only on
/// the device if one of them was computed there, so that nothing waits for the device. If the step throws
/// before the update, the trainable weights are unchanged.
Tensor train_step(LayersModel& model, const Objective& objective, const Batch& batch,
                  const UpdateAttrs& update, std::span<TrainableParam> params);

/// Returns the losses and metrics of a batch without training, in the order of train_step(). The total loss
/// does not include regularizers.
Tensor eval_step(LayersModel& model, const Objective& objective, const Batch& batch);

}  // namespace tenure
