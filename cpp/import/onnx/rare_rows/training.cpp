// Steps of optimizers, of the domain ai.onnx.preview.training. Inputs 0 and 1 are the learning rate and the
// number of the step. Lists of tensors follow: weights, their gradients, and one or two lists of states.

#include <cmath>

#include "import/onnx/families.h"
#include "ops/ops.h"

namespace tenure::onnx {
namespace {

float number(const Call& call, std::string_view name, double otherwise) {
  return static_cast<float>(call.attrs().number(name, otherwise));
}

Tensor scaled(const Tensor& x, float factor) { return mul(x, Tensor::scalar(factor)); }

/// Returns the new weights and states: for each list, the results of `step` for each weight. `step` takes one
/// tensor of each list.
template <class Step>
EdgeValues step_all(const Call& call, int lists, Step step) {
  const int count = (call.size() - 2) / lists;
  check(count > 0 && call.size() == 2 + lists * count, "it has ", call.size(), " inputs");
  EdgeValues results(static_cast<std::size_t>(count * (lists - 1)));
  for (int i = 0; i < count; ++i) {
    Tensors in;
    for (int k = 0; k < lists; ++k) in.push_back(call[2 + k * count + i]);
    // The gradient of the weights' norm is added to that of the loss.
    in[1] = add(scaled(in[0], number(call, "norm_coefficient", 0)), in[1]);
    const Tensors found = step(in);
    for (std::size_t k = 0; k < found.size(); ++k)
      results[k * static_cast<std::size_t>(count) + static_cast<std::size_t>(i)] = found[k];
  }
  return results;
}

EdgeValues adagrad(const Call& call) {
  const Tensor epsilon = Tensor::scalar(number(call, "epsilon", 1e-6));
  const float rate =
      call.number(0) / (1 + static_cast<float>(call.integer(1)) * number(call, "decay_factor", 0));
  return step_all(call, 3, [&](const Tensors& in) -> Tensors {
    const Tensor squares = add(in[2], square(in[1]));
    return {sub(in[0], div(scaled(in[1], rate), add(sqrt(squares), epsilon))), squares};
  });
}

EdgeValues adam(const Call& call) {
  const float alpha = number(call, "alpha", 0.9);
  const float beta = number(call, "beta", 0.999);
  const Tensor epsilon = Tensor::scalar(number(call, "epsilon", 1e-6));
  const auto step = static_cast<float>(call.integer(1));
  float rate = call.number(0);
  if (step > 0) rate *= std::sqrt(1 - std::pow(beta, step)) / (1 - std::pow(alpha, step));
  return step_all(call, 4, [&](const Tensors& in) -> Tensors {
    const Tensor momentum = add(scaled(in[2], alpha), scaled(in[1], 1 - alpha));
    const Tensor squares = add(scaled(in[3], beta), scaled(square(in[1]), 1 - beta));
    const Tensor weights = sub(in[0], scaled(div(momentum, add(sqrt(squares), epsilon)), rate));
    return {scaled(weights, 1 - number(call, "norm_coefficient_post", 0)), momentum, squares};
  });
}

EdgeValues momentum(const Call& call) {
  const std::string_view mode = call.attrs().string("mode");
  check(mode == "standard" || mode == "nesterov", "attribute \"mode\" is \"", mode, "\"");
  const float alpha = number(call, "alpha", 0);
  // The first step takes the whole gradient.
  const float beta = call.integer(1) > 0 ? number(call, "beta", 0) : 1;
  const float rate = call.number(0);
  return step_all(call, 3, [&](const Tensors& in) -> Tensors {
    const Tensor velocity = add(scaled(in[2], alpha), scaled(in[1], beta));
    const Tensor direction = mode == "standard" ? velocity : add(in[1], scaled(velocity, alpha));
    return {sub(in[0], scaled(direction, rate)), velocity};
  });
}

constexpr Row kRows[] = {
    {"Adagrad", adagrad},
    {"Adam", adam},
    {"Momentum", momentum},
};

}  // namespace

std::span<const Row> training_rows() { return kRows; }

}  // namespace tenure::onnx
