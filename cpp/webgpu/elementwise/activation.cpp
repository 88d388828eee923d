#include "webgpu/elementwise/activation.h"

#include "core/activation.h"
#include "core/text.h"
#include "webgpu/elementwise/elementwise.h"
#include "webgpu/shader/function_table.h"

namespace tenure::webgpu {

void add_activation(Dispatch& dispatch, Activation activation, float alpha) {
  dispatch.declare(kFloatAliases);
  if (activation == Activation::kLinear) {
    dispatch.declare("fn activate(x:V)->V{return x;}");
    return;
  }
  const ActivationDef& def = activation_def(activation);
  const Expression& expression = get_expression(def.op);
  const AttributeSource attrs(expression, 0);
  if (def.has_alpha) dispatch.set("q0", std::array<float, 4>{get_fused_alpha(activation, alpha), 0, 0, 0});
  dispatch.declare(
      text(attrs.declaration, "fn activate(x:V)->V{", attrs.statement, "return ", to_wgsl(expression), ";}"));
}

}  // namespace tenure::webgpu
