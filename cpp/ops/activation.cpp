#include "ops/activation.h"

#include "ops/infer.h"
#include "ops/ops.h"

namespace tenure {

Tensor activated(const Tensor& x, Activation activation, float alpha) {
  switch (activation) {
    case Activation::kLinear: return x;
    case Activation::kRelu: return relu(x);
    case Activation::kRelu6: return relu6(x);
    case Activation::kElu: return elu(x, {alpha == 0 ? 1.0F : alpha});
    case Activation::kSigmoid: return sigmoid(x);
    case Activation::kTanh: return tanh(x);
    case Activation::kLeakyRelu: return leaky_relu(x, {alpha});
    case Activation::kSwish: return mul(x, sigmoid(x));
    case Activation::kHardSigmoid:
      return clip_by_value(add(mul(x, Tensor::scalar(0.2F)), Tensor::scalar(0.5F)), {0, 1});
  }
  return x;
}

}  // namespace tenure

namespace tenure::composed {

Tensor add_and_activate(const Tensor& x, const Tensor& bias, const ActivateAttrs& attrs) {
  return activated(add(x, bias), attrs.activation, attrs.alpha);
}

}  // namespace tenure::composed
