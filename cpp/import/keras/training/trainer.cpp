#include "import/keras/training/trainer.h"

#include <algorithm>

#include "core/error.h"
#include "core/run/tape.h"
#include "import/keras/network.h"
#include "ops/autodiff/backward.h"
#include "ops/math/optimizer.h"
#include "ops/ops.h"

namespace tenure {
namespace {

/// Returns the number of references to an unshared weight or slot: its holder, the update's `state` and, if
/// there is one, the handle.
std::uint32_t unshared_references(const keras::Weight& weight) { return weight.handle == 0 ? 2 : 3; }

/// Weighted sum of the losses, and the loss of each output.
struct Losses {
  Tensor total;
  Tensors per_output;
};

/// Returns weights [batch] as [batch, 1, ...], to be multiplied with losses of any rank.
Tensor expand_to_rank(const Tensor& weights, const Tensor& losses) {
  Shape shape = weights.shape();
  while (shape.rank < losses.rank()) shape.push_back(1);
  return reshape(weights, {shape});
}

Losses compute_losses(const Objective& objective, const Batch& batch, const Tensors& outputs) {
  check(batch.targets.size() == outputs.size() && objective.losses.size() == outputs.size(), "the model has ",
        outputs.size(), " outputs, got ", batch.targets.size(), " targets and ", objective.losses.size(),
        " losses");
  Losses losses;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const Objective::Loss& loss = objective.losses[i];
    if (loss.op == Op::kCount) continue;
    Tensor per_sample = run(loss.op, {&batch.targets[i], &outputs[i]});
    if (i < batch.weights.size() && batch.weights[i])
      per_sample = mul(per_sample, expand_to_rank(batch.weights[i], per_sample));
    losses.per_output.push_back(mean(per_sample));
    const Tensor& one = losses.per_output.back();
    const Tensor part = loss.weight == 1 ? one : mul(one, Tensor::scalar(loss.weight));
    losses.total = losses.total ? add(losses.total, part) : part;
  }
  check(static_cast<bool>(losses.total), "the model is compiled without a loss");
  return losses;
}

/// Returns scalars as a vector, which is only on the device if one of them is.
Tensor join(const Tensors& scalars) {
  const auto waits = [](const Tensor& one) { return one.storage()->only_on_device(); };
  if (std::any_of(scalars.begin(), scalars.end(), waits)) {
    Tensors rows;
    for (const Tensor& one : scalars) rows.push_back(reshape(one, {Shape{1}}));
    return concat(rows, {0});
  }
  Tensor vector(TensorSpec{{static_cast<std::int32_t>(scalars.size())}, DType::kFloat32});
  std::transform(scalars.begin(), scalars.end(), vector.mutable_data<float>(),
                 [](const Tensor& one) { return one.data<float>()[0]; });
  return vector;
}

Tensor collect_results(const Objective& objective, const Batch& batch, const Tensors& outputs,
                       const Losses& losses) {
  Tensors results = {losses.total};
  if (outputs.size() > 1) results.insert(results.end(), losses.per_output.begin(), losses.per_output.end());
  for (const Objective::Metric& metric : objective.metrics) {
    const Tensor per_sample = run(metric.op, {&batch.targets.at(metric.output), &outputs.at(metric.output)});
    results.push_back(mean(per_sample));
  }
  return join(results);
}

std::vector<keras::NamedWeight> get_weights(const LayersModel& model) {
  std::vector<keras::NamedWeight> weights;
  model.network()->collect_weights("", true, weights);
  return weights;
}

}  // namespace

Tensor train_step(LayersModel& model, const Objective& objective, const Batch& batch,
                  const UpdateAttrs& attrs, std::span<TrainableParam> params) {
  const TapePause others;
  // Plans reference the weights, which would keep the update from writing in place.
  model.invalidate_plans();
  Tape tape;
  for (const TrainableParam& one : params) tape.watch(one.weight->value);
  Tensors outputs;
  Losses losses;
  {
    const TapeGuard guard(tape);
    outputs = model.run(batch.inputs, true);
    losses = compute_losses(objective, batch, outputs);
    for (const auto& [name, weight, trainable] : get_weights(model)) {
      if (!weight->regularizer.is_none())
        losses.total = add(losses.total, weight->regularizer.penalty(weight->value));
    }
  }
  Backward backward(tape, losses.total, {});
  check(!backward.advance(), "a gradient of the model is only known outside of it");
  Tensor results = collect_results(objective, batch, outputs, losses);
  for (TrainableParam& one : params) {
    Tensor& value = one.weight->value;
    const Tensor gradient = backward.get_gradient(value);
    if (!gradient) continue;
    Tensors state = {value};
    state.insert(state.end(), one.slots.begin(), one.slots.end());
    update(attrs, gradient, state, unshared_references(*one.weight));
    value = one.weight->constraint.apply(state[0]);
    std::move(state.begin() + 1, state.end(), one.slots.begin());
  }
  return results;
}

Tensor eval_step(LayersModel& model, const Objective& objective, const Batch& batch) {
  const TapePause no_tape;
  const Tensors outputs = model.predict(batch.inputs);
  return collect_results(objective, batch, outputs, compute_losses(objective, batch, outputs));
}

}  // namespace tenure
