#include "model/graphdef/fused.h"

#include "ops/ops.h"

namespace tenure::graphdef {

Fused read_fused(const Call& call) {
  Fused fused;
  fused.alpha = static_cast<float>(call.attrs().number("leakyrelu_alpha", 0.2));
  int next = 2;
  for (const std::string& op : call.attrs().words("fused_ops")) {
    if (op == "BiasAdd") {
      check(next < call.size(), "BiasAdd must have an extra argument: bias.");
      fused.bias = call[next++];
    } else if (op == "Prelu") {
      check(next < call.size(), "BiasAdd and Prelu must have two extra arguments: bias and alpha.");
      fused.activation = op;
      fused.slopes = call[next++];
    } else {
      check(op == "Relu" || op == "Relu6" || op == "Elu" || op == "LeakyRelu" || op == "Sigmoid" ||
                op == "Tanh" || op == "Linear",
            "the fused op ", op, " is not supported");
      fused.activation = op;
    }
  }
  return fused;
}

Tensor activate(const Tensor& x, const Fused& fused) {
  const std::string_view name = fused.activation;
  if (name == "Relu") return relu(x);
  if (name == "Relu6") return relu6(x);
  if (name == "Elu") return elu(x, {1});
  if (name == "LeakyRelu") return leaky_relu(x, {fused.alpha});
  if (name == "Sigmoid") return sigmoid(x);
  if (name == "Tanh") return tanh(x);
  if (name == "Prelu") return prelu(x, fused.slopes);
  return x;
}

}  // namespace tenure::graphdef
