#include "core/error.h"
#include "ops/autodiff/gradient.h"
#include "ops/infer.h"
#include "ops/ops.h"

namespace tenure::infer {
namespace {

TensorSpec infer_last_axis(const Tensor& x) {
  check_shape(x.rank() > 0, "expected logits of rank 1 or higher, got a scalar");
  return x.spec();
}

}  // namespace

TensorSpec softmax(Inputs in, const NoneAttrs&) { return infer_last_axis(in[0]); }
TensorSpec log_softmax(Inputs in, const NoneAttrs&) { return infer_last_axis(in[0]); }

}  // namespace tenure::infer

namespace tenure::grad {
namespace {

Tensor sum_last_axis(const Tensor& x) { return sum(x, {.axes = {x.rank() - 1}, .keep_dims = true}); }

}  // namespace

Tensors softmax(const GradientArgs& args, const NoneAttrs&) {
  const Tensor weighted = mul(args.g, args.out);
  return {sub(weighted, mul(args.out, sum_last_axis(weighted)))};
}

Tensors log_softmax(const GradientArgs& args, const NoneAttrs&) {
  return {sub(args.g, mul(exp(args.out), sum_last_axis(args.g)))};
}

}  // namespace tenure::grad
