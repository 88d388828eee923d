#include "ops/autodiff/gradient.h"
#include "ops/dtypes.h"
#include "ops/infer.h"
#include "ops/ops.h"

namespace tenure::infer {

TensorSpec cast(Inputs in, const CastAttrs& attrs) {
  check_kernel_dtype(attrs.dtype, types::kNonString);
  return {in[0].shape(), attrs.dtype};
}

}  // namespace tenure::infer

namespace tenure::grad {

Tensors cast(const GradientArgs& args, const CastAttrs&) {
  if (args.in[0].dtype() == DType::kComplex64) return {cast(args.g, {DType::kComplex64})};
  return {args.g.dtype() == DType::kComplex64 ? real(args.g) : args.g};
}

}  // namespace tenure::grad
