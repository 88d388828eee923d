#include "import/keras/activation.h"

#include "core/activation.h"
#include "ops/math/activation.h"
#include "ops/ops.h"

namespace tenure::keras {

Op parse_activation(const Config& config, std::string_view key) {
  const Json* value = config.find(key);
  const std::string word =
      value && value->is_object() ? snake_case(config.object(key).string("class_name")) : config.word(key);
  // A config has no field for leaky_relu's slope, so Keras has a LeakyReLU layer instead.
  const ActivationDef* def = find_activation(word);
  if (def && def->op != Op::leaky_relu) return def->op;
  if (word == "silu") return Op::swish;
  if (word == "softmax") return Op::softmax;
  if (word == "log_softmax") return Op::log_softmax;
  config.fail(
      "Unknown activation: ", word, ". This may be due to one of the following reasons:\n",
      "1. The activation is defined in Python, in which case it needs to be ported to TensorFlow.js or your "
      "JavaScript code.\n2. The custom activation is defined in JavaScript, but is not registered properly "
      "with "
      "tf.serialization.registerClass().");
}

bool is_elementwise(Op activation) { return activation != Op::softmax && activation != Op::log_softmax; }

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

Tensor activate(Op activation, const Tensor& x) {
  if (activation == Op::softmax) return softmax(x);
  if (activation == Op::log_softmax) return log_softmax(x);
  return activated(x, get_activation(activation), 0);
}

}  // namespace tenure::keras
