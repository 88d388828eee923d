#include "import/onnx/rows/activation.h"

#include <algorithm>

#include "import/onnx/families.h"
#include "import/onnx/rows/integers.h"
#include "ops/ops.h"

namespace tenure::onnx {
namespace {

float number(const Call& call, std::string_view name, double otherwise) {
  return static_cast<float>(call.attrs().number(name, otherwise));
}

constexpr float kSeluAlpha = 1.67326319217681884765625F;
constexpr float kSeluGamma = 1.05070102214813232421875F;

Tensor scaled(const Tensor& x, float factor) { return mul(x, Tensor::scalar(factor)); }

Tensor leaky(const Call& call) { return leaky_relu(call[0], {number(call, "alpha", 0.01)}); }
Tensor exponential(const Call& call) { return elu(call[0], {number(call, "alpha", 1)}); }

Tensor scaled_exponential(const Call& call) {
  if (!call.attrs().has("alpha") && !call.attrs().has("gamma")) return selu(call[0]);
  return scaled(elu(call[0], {number(call, "alpha", kSeluAlpha)}), number(call, "gamma", kSeluGamma));
}

Tensor continuous_exponential(const Call& call) {
  const float alpha = number(call, "alpha", 1);
  return scaled(elu(scaled(call[0], 1 / alpha), {1}), alpha);
}

Tensor affine(const Tensor& x, float alpha, float beta) {
  return add(scaled(x, alpha), Tensor::scalar(beta));
}
Tensor hard_sigmoid_with(const Tensor& x, float alpha, float beta) {
  return clip_by_value(affine(x, alpha, beta), {.min = 0, .max = 1});
}
Tensor hard_swish_with(const Tensor& x) { return mul(x, hard_sigmoid_with(x, 1.0F / 6, 0.5F)); }
Tensor thresholded_relu(const Tensor& x, float alpha) {
  return where(greater(x, Tensor::scalar(alpha)), x, Tensor::scalar(0.0F));
}

Tensor hard(const Call& call) {
  return hard_sigmoid_with(call[0], number(call, "alpha", 0.2), number(call, "beta", 0.5));
}
Tensor hard_swish(const Call& call) { return hard_swish_with(call[0]); }

Tensor gaussian(const Call& call) {
  return call.attrs().string("approximate") == "tanh" ? gelu_new(call[0]) : gelu(call[0]);
}

Tensor swish_with(const Call& call) {
  const float alpha = number(call, "alpha", 1);
  return alpha == 1 ? swish(call[0]) : mul(call[0], sigmoid(scaled(call[0], alpha)));
}

Tensor thresholded(const Call& call) { return thresholded_relu(call[0], number(call, "alpha", 1)); }

Tensor shrunk(const Call& call) {
  const Tensor& x = call[0];
  const Tensor bias = Tensor::scalar(number(call, "bias", 0));
  const float lambda = number(call, "lambd", 0.5);
  const Tensor y = where(less(x, Tensor::scalar(-lambda)), add(x, bias),
                         where(greater(x, Tensor::scalar(lambda)), sub(x, bias), Tensor::scalar(0.0F)));
  return as_dtype(y, x.dtype());
}

/// Before opset 7 a slope of one dimension was that of the channels.
Tensor with_slope(const Call& call) {
  const Tensor& x = call[0];
  Tensor slope = call[1];
  if (opset(call) < 7 && slope.rank() == 1 && slope.elements() > 1 && x.rank() > 2) {
    Shape shape = slope.shape();
    while (shape.rank + 1 < x.rank()) shape.push_back(1);
    slope = reshape(slope, {shape});
  }
  if (x.dtype() != DType::kInt32) return prelu(x, slope);
  const Tensor zero = Tensor::scalar(0);
  const ElementType type = element_type(call, 0);
  return add(maximum(x, zero), run_arithmetic(Op::mul, minimum(x, zero), slope, type, type));
}

constexpr Activation kActivations[] = {
    {"Affine", 2, 1, 0},
    {"Elu", 1, 1},
    {"HardSigmoid", 2, 0.2F, 0.5F},
    {"HardSwish"},
    {"LeakyRelu", 1, 0.01F},
    {"ParametricSoftplus", 2, 1, 1},
    {"Relu"},
    {"ScaledTanh", 2, 1, 1},
    {"Selu", 2, kSeluAlpha, kSeluGamma},
    {"Sigmoid"},
    {"Softplus"},
    {"Softsign"},
    {"Tanh"},
    {"ThresholdedRelu", 1, 1},
};

constexpr Row kRows[] = {
    {"Celu", continuous_exponential},
    {"Elu", exponential},
    {"Gelu", gaussian},
    {"HardSigmoid", hard},
    {"HardSwish", hard_swish},
    {"LeakyRelu", leaky},
    {"Mish", Op::mish, 1},
    {"PRelu", with_slope},
    {"Relu", Op::relu, 1},
    {"Selu", scaled_exponential},
    {"Shrink", shrunk},
    {"Sigmoid", Op::sigmoid, 1},
    {"Softplus", Op::softplus, 1},
    {"Softsign", Op::softsign, 1},
    {"Swish", swish_with},
    {"Tanh", Op::tanh, 1},
    {"ThresholdedRelu", thresholded},
};

}  // namespace

std::span<const Row> activation_rows() { return kRows; }

Activation get_activation(std::string_view name) {
  const auto* at = std::find_if(std::begin(kActivations), std::end(kActivations),
                                [&](const Activation& one) { return one.name == name; });
  check(at != std::end(kActivations), "the activation \"", name, "\" is not supported");
  return *at;
}

Tensor activate(const Tensor& x, const Activation& how) {
  if (how.name == "Affine") return affine(x, how.alpha, how.beta);
  if (how.name == "Elu") return elu(x, {how.alpha});
  if (how.name == "HardSigmoid") return hard_sigmoid_with(x, how.alpha, how.beta);
  if (how.name == "HardSwish") return hard_swish_with(x);
  if (how.name == "LeakyRelu") return leaky_relu(x, {how.alpha});
  if (how.name == "ParametricSoftplus") return scaled(softplus(scaled(x, how.beta)), how.alpha);
  if (how.name == "Relu") return relu(x);
  if (how.name == "ScaledTanh") return scaled(tanh(scaled(x, how.beta)), how.alpha);
  if (how.name == "Selu") return scaled(elu(x, {how.alpha}), how.beta);
  if (how.name == "Sigmoid") return sigmoid(x);
  if (how.name == "Softsign") return softsign(x);
  if (how.name == "Tanh") return tanh(x);
  if (how.name == "ThresholdedRelu") return thresholded_relu(x, how.alpha);
  return softplus(x);
}

}  // namespace tenure::onnx
