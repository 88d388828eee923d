#include "import/keras/training/trainer.h"

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
  Tensors of_outputs;
};

/// Returns weights [batch] as [batch, 1, ...], to be multiplied with losses of any rank.
Tensor spread(const Tensor& weights, const Tensor& losses) {
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
    Tensor of_samples = run(loss.op, {&batch.targets[i], &outputs[i]});
    if (i < batch.weights.size() && batch.weights[i])
      of_samples = mul(of_samples, spread(batch.weights[i], of_samples));
    losses.of_outputs.push_back(mean(of_samples));
    const Tensor& one = losses.of_outputs.back();
    const Tensor part = loss.weight == 1 ? one : mul(one, Tensor::scalar(loss.weight));
    losses.total = losses.total ? add(losses.total, part) : part;
  }
  check(static_cast<bool>(losses.total), "the model is compiled without a loss");
  return losses;
}

std::vector<float> results_of(const Objective& objective, const Batch& batch, const Tensors& outputs,
                              const Losses& losses) {
  std::vector<float> results = {losses.total.data<float>()[0]};
  if (outputs.size() > 1) {
    for (const Tensor& loss : losses.of_outputs) results.push_back(loss.data<float>()[0]);
  }
  for (const Objective::Metric& metric : objective.metrics) {
    const Tensor of_samples = run(metric.op, {&batch.targets.at(metric.output), &outputs.at(metric.output)});
    results.push_back(mean(of_samples).data<float>()[0]);
  }
  return results;
}

std::vector<keras::NamedWeight> weights_of(const LayersModel& model) {
  std::vector<keras::NamedWeight> weights;
  model.network()->collect_weights("", true, weights);
  return weights;
}

}  // namespace

std::vector<float> train_step(LayersModel& model, const Objective& objective, const Batch& batch,
                              const UpdateAttrs& attrs, std::span<Moving> moving) {
  const TapePause others;
  // Plans reference the weights, which would keep the update from writing in place.
  model.forget_plans();
  Tape tape;
  for (const Moving& one : moving) tape.watch(one.weight->value);
  Tensors outputs;
  Losses losses;
  {
    const TapeGuard guard(tape);
    outputs = model.run(batch.inputs, true);
    losses = compute_losses(objective, batch, outputs);
    for (const auto& [name, weight, trainable] : weights_of(model)) {
      if (!weight->regularizer.is_none())
        losses.total = add(losses.total, weight->regularizer.penalty(weight->value));
    }
  }
  Backward walk(tape, losses.total, {});
  check(!walk.go_on(), "a gradient of the model is only known outside of it");
  std::vector<float> results = results_of(objective, batch, outputs, losses);
  for (Moving& one : moving) {
    Tensor& value = one.weight->value;
    const Tensor gradient = walk.gradient_of(value);
    if (!gradient) continue;
    Tensors state = {value};
    state.insert(state.end(), one.slots.begin(), one.slots.end());
    update(attrs, gradient, state, unshared_references(*one.weight));
    value = one.weight->constraint.apply(state[0]);
    std::move(state.begin() + 1, state.end(), one.slots.begin());
  }
  return results;
}

std::vector<float> judge(LayersModel& model, const Objective& objective, const Batch& batch) {
  const TapePause no_tape;
  const Tensors outputs = model.predict(batch.inputs);
  return results_of(objective, batch, outputs, compute_losses(objective, batch, outputs));
}

}  // namespace tenure
