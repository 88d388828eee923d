#include "gl/activation.h"

#include "core/text.h"
#include "gl/elementwise.h"

namespace tenure::gl {
namespace {

/// In x and p.alpha; each with the words of the op of that name.
std::string expression(Activation activation) {
  const auto of = [](Op op) { return std::string(expression_of(op).text); };
  switch (activation) {
    case Activation::kLinear: break;
    case Activation::kRelu: return of(Op::relu);
    case Activation::kRelu6: return of(Op::relu6);
    case Activation::kElu: return of(Op::elu);
    case Activation::kSigmoid: return of(Op::sigmoid);
    case Activation::kTanh: return of(Op::tanh);
    case Activation::kLeakyRelu: return of(Op::leaky_relu);
    case Activation::kSwish: return text("x * ", of(Op::sigmoid));
    case Activation::kHardSigmoid: return "min(max(0.2f * x + 0.5f, V(0)), V(1))";
  }
  return "x";
}

}  // namespace

void add_activation(Pass& pass, Activation activation, float alpha) {
  pass.variant("V", "vec4").variant("ACTIVATE(x)", text("(", expression(activation), ")"));
  if (activation != Activation::kElu && activation != Activation::kLeakyRelu) return;
  // An elu without a scale has that of 1, as TensorFlow.js's fused ops do.
  pass.declare("uniform struct{float alpha;}p;")
      .set("p.alpha", activation == Activation::kElu && alpha == 0 ? 1.0F : alpha);
}

}  // namespace tenure::gl
