#pragma once

#include <string>
#include <vector>

#include "import/keras/network.h"
#include "import/keras/training/trainer.h"
#include "model/files/json.h"
#include "models.h"
#include "ops/ops.h"

/// Helpers shared by the tests of training.
namespace tenure::test {

inline const Objective kMeanSquares{{{Op::metric_mean_squared_error}}, {}};

/// Returns values for all weights of a model, by name. Variances are positive.
inline std::vector<TestWeight> some_weights(const std::string& topology) {
  const Json json = Json::parse(topology, "the model");
  keras::Network network(json);
  keras::Specs given;
  for (const keras::NetworkInput& input : network.inputs()) given.push_back({input.shape, input.dtype});
  keras::CallBudget work;
  network.declare_all(given, work);
  std::vector<keras::NamedWeight> named;
  network.collect_weights("", true, named);
  std::vector<TestWeight> weights;
  for (const keras::NamedWeight& one : named) {
    const auto seed = static_cast<std::uint32_t>(weights.size() + 1);
    const Tensor values = random_values(one.weight->value.shape(), seed);
    const bool is_variance = one.name.ends_with("variance");
    weights.push_back({one.name, is_variance ? add(square(values), Tensor::scalar(0.5F)) : values});
  }
  return weights;
}

/// Returns the trainable weights of a model, without optimizer slots.
inline std::vector<TrainableParam> trainable_params(LayersModel& model) {
  std::vector<keras::NamedWeight> named;
  model.network()->collect_weights("", true, named);
  std::vector<TrainableParam> moving;
  for (const keras::NamedWeight& one : named) {
    if (one.trainable) moving.push_back({one.weight, {}});
  }
  return moving;
}

}  // namespace tenure::test
