#include "gl/kernels/activation.h"

#include "core/activation.h"
#include "core/text.h"
#include "gl/kernels/elementwise.h"

namespace tenure::gl {

void add_activation(Pass& pass, Activation activation, float alpha) {
  const ActivationDef& def = activation_def(activation);
  const std::string_view expression =
      activation == Activation::kLinear ? std::string_view("x") : get_expression(def.op).text;
  pass.variant("V", "vec4").variant("ACTIVATE(x)", text("(", expression, ")"));
  if (def.has_alpha)
    pass.declare("uniform struct { float alpha; } p;"_glsl)
        .set("p.alpha", get_fused_alpha(activation, alpha));
}

}  // namespace tenure::gl
