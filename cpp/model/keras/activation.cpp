#include "model/keras/activation.h"

#include "ops/ops.h"

namespace tenure::keras {
namespace {

struct Row {
  std::string_view word;
  ActivationName name;
};

constexpr Row kNames[] = {
    {"linear", ActivationName::kLinear},
    {"elu", ActivationName::kElu},
    {"selu", ActivationName::kSelu},
    {"relu", ActivationName::kRelu},
    {"relu6", ActivationName::kRelu6},
    {"sigmoid", ActivationName::kSigmoid},
    {"hard_sigmoid", ActivationName::kHardSigmoid},
    {"softplus", ActivationName::kSoftplus},
    {"softsign", ActivationName::kSoftsign},
    {"tanh", ActivationName::kTanh},
    {"softmax", ActivationName::kSoftmax},
    {"log_softmax", ActivationName::kLogSoftmax},
    {"swish", ActivationName::kSwish},
    {"silu", ActivationName::kSwish},
    {"mish", ActivationName::kMish},
    {"gelu", ActivationName::kGelu},
    {"gelu_new", ActivationName::kGeluNew},
};

Tensor scaled(const Tensor& x, float factor) { return mul(x, Tensor::scalar(factor)); }
Tensor shifted(const Tensor& x, float offset) { return add(x, Tensor::scalar(offset)); }

// x * Phi(x), with Phi through the error function.
Tensor gelu(const Tensor& x) { return mul(x, scaled(shifted(erf(scaled(x, 0.70710678F)), 1), 0.5F)); }

Tensor gelu_new(const Tensor& x) {
  const Tensor cubic = add(x, scaled(mul(x, square(x)), 0.044715F));
  return mul(x, scaled(shifted(tanh(scaled(cubic, 0.79788456F)), 1), 0.5F));
}

}  // namespace

ActivationName parse_activation(const Config& config, std::string_view key) {
  const Json* value = config.find(key);
  const std::string word =
      value && value->is_object() ? snake_case(config.object(key).string("class_name")) : config.word(key);
  for (const Row& row : kNames) {
    if (row.word == word) return row.name;
  }
  config.fail(
      "Unknown activation: ", word, ". This may be due to one of the following reasons:\n",
      "1. The activation is defined in Python, in which case it needs to be ported to TensorFlow.js or your "
      "JavaScript code.\n2. The custom activation is defined in JavaScript, but is not registered properly "
      "with "
      "tf.serialization.registerClass().");
}

bool is_elementwise(ActivationName name) {
  return name != ActivationName::kSoftmax && name != ActivationName::kLogSoftmax;
}

Tensor softmax_along(const Tensor& x, int axis) {
  axis = normalize_axis(axis, x.rank());
  if (axis == x.rank() - 1) return softmax(x);
  PermutationAttrs swap;
  for (int i = 0; i < x.rank(); ++i) swap.perm.push_back(i);
  std::swap(swap.perm[axis], swap.perm[x.rank() - 1]);
  const Tensor turned = transpose(x, swap);
  const Tensor result = softmax(turned);
  return transpose(result, swap);
}

Tensor activate(ActivationName name, const Tensor& x) {
  switch (name) {
    case ActivationName::kLinear: return x;
    case ActivationName::kElu: return elu(x, {.alpha = 1});
    case ActivationName::kSelu: return selu(x);
    case ActivationName::kRelu: return relu(x);
    case ActivationName::kRelu6: return relu6(x);
    case ActivationName::kSigmoid: return sigmoid(x);
    case ActivationName::kHardSigmoid:
      return clip_by_value(shifted(scaled(x, 0.2F), 0.5F), {.min = 0, .max = 1});
    case ActivationName::kSoftplus: return softplus(x);
    case ActivationName::kSoftsign: return div(x, shifted(abs(x), 1));
    case ActivationName::kTanh: return tanh(x);
    case ActivationName::kSoftmax: return softmax(x);
    case ActivationName::kLogSoftmax: return log_softmax(x);
    case ActivationName::kSwish: return mul(x, sigmoid(x));
    case ActivationName::kMish: return mul(x, tanh(softplus(x)));
    case ActivationName::kGelu: return gelu(x);
    case ActivationName::kGeluNew: return gelu_new(x);
  }
  return x;
}

}  // namespace tenure::keras
