#include "ops/math/activation.h"

#include "core/activation.h"
#include "core/run/dispatch.h"
#include "ops/infer.h"
#include "ops/ops.h"

namespace tenure {

Tensor activated(const Tensor& x, Activation activation, float alpha) {
  if (activation == Activation::kLinear) return x;
  const ActivationDef& def = activation_def(activation);
  const AlphaAttrs attrs{get_fused_alpha(activation, alpha)};
  return run(def.op, {&x}, def.has_alpha ? AttrsView(attrs) : AttrsView());
}

}  // namespace tenure

namespace tenure::composed {

Tensor add_and_activate(const Tensor& x, const Tensor& bias, const ActivateAttrs& attrs) {
  return activated(add(x, bias), attrs.activation, attrs.alpha);
}

}  // namespace tenure::composed
