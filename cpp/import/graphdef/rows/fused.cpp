#include "import/graphdef/rows/fused.h"

#include "core/activation.h"
#include "ops/math/activation.h"
#include "ops/ops.h"

namespace tenure::graphdef {
namespace {

std::string lower_case(std::string_view string) {
  std::string result(string);
  for (char& c : result) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return result;
}

}  // namespace

FusedEpilogue read_fused(const Call& call) {
  FusedEpilogue fused;
  int next = 2;
  for (const std::string& op : call.attrs().strings("fused_ops")) {
    if (op == "BiasAdd") {
      check(next < call.size(), "BiasAdd must have an extra argument: bias.");
      fused.bias = call[next++];
    } else if (op == "Prelu") {
      check(next < call.size(), "BiasAdd and Prelu must have two extra arguments: bias and alpha.");
      fused.prelu_alpha = call[next++];
    } else {
      const ActivationDef* def = find_activation(lower_case(op));
      check(def, "the fused op ", op, " is not supported");
      fused.activation = get_activation(def->op);
      // The file has no alpha for elu: fused.alpha stays 0, which means the default of 1.
      if (def->op == Op::leaky_relu)
        fused.alpha = static_cast<float>(call.attrs().number("leakyrelu_alpha", 0.2));
    }
  }
  return fused;
}

Tensor activate(const Tensor& x, const FusedEpilogue& fused) {
  return fused.prelu_alpha ? prelu(x, fused.prelu_alpha) : activated(x, fused.activation, fused.alpha);
}

}  // namespace tenure::graphdef
