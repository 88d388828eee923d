#include "ops/autodiff/gradient.h"
#include "ops/dtypes.h"
#include "ops/infer.h"
#include "ops/ops.h"

namespace tenure::infer {

TensorSpec reverse(Inputs in, const AxesAttrs& attrs) {
  normalize_axes(attrs.axes, in[0].rank());
  return in[0].spec();
}

}  // namespace tenure::infer

namespace tenure::grad {

Tensors reverse(const GradientArgs& args, const AxesAttrs& attrs) { return {reverse(args.g, attrs)}; }

}  // namespace tenure::grad
