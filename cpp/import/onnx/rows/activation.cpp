#include "import/onnx/families.h"
#include "ops/ops.h"

namespace tenure::onnx {
namespace {

float number(const Call& call, std::string_view name, double otherwise) {
  return static_cast<float>(call.attrs().number(name, otherwise));
}

Tensor scaled(const Tensor& x, float factor) { return mul(x, Tensor::scalar(factor)); }

Tensor leaky(const Call& call) { return leaky_relu(call[0], {number(call, "alpha", 0.01)}); }
Tensor exponential(const Call& call) { return elu(call[0], {number(call, "alpha", 1)}); }

Tensor scaled_exponential(const Call& call) {
  if (!call.attrs().has("alpha") && !call.attrs().has("gamma")) return selu(call[0]);
  return scaled(elu(call[0], {number(call, "alpha", 1.67326319217681884765625)}),
                number(call, "gamma", 1.05070102214813232421875));
}

Tensor continuous_exponential(const Call& call) {
  const float alpha = number(call, "alpha", 1);
  return scaled(elu(scaled(call[0], 1 / alpha), {1}), alpha);
}

Tensor hard_sigmoid_with(const Tensor& x, float alpha, float beta) {
  return clip_by_value(add(scaled(x, alpha), Tensor::scalar(beta)), {.min = 0, .max = 1});
}
Tensor hard(const Call& call) {
  return hard_sigmoid_with(call[0], number(call, "alpha", 0.2), number(call, "beta", 0.5));
}
Tensor hard_swish(const Call& call) { return mul(call[0], hard_sigmoid_with(call[0], 1.0F / 6, 0.5F)); }

Tensor gaussian(const Call& call) {
  return call.attrs().string("approximate") == "tanh" ? gelu_new(call[0]) : gelu(call[0]);
}

Tensor swish_with(const Call& call) {
  const float alpha = number(call, "alpha", 1);
  return alpha == 1 ? swish(call[0]) : mul(call[0], sigmoid(scaled(call[0], alpha)));
}

Tensor thresholded(const Call& call) {
  const Tensor& x = call[0];
  return where(greater(x, Tensor::scalar(number(call, "alpha", 1))), x, Tensor::scalar(0.0F));
}

Tensor shrunk(const Call& call) {
  const Tensor& x = call[0];
  const Tensor bias = Tensor::scalar(number(call, "bias", 0));
  const float lambda = number(call, "lambd", 0.5);
  return where(less(x, Tensor::scalar(-lambda)), add(x, bias),
               where(greater(x, Tensor::scalar(lambda)), sub(x, bias), Tensor::scalar(0.0F)));
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
  return prelu(x, slope);
}

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

}  // namespace tenure::onnx
