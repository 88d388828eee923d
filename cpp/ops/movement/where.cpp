#include "ops/autodiff/gradient.h"
#include "ops/dtypes.h"
#include "ops/infer.h"
#include "ops/ops.h"

namespace tenure::infer {

TensorSpec where(Inputs in, const NoneAttrs&) {
  const Shape shape = broadcast(broadcast(in[0].shape(), in[1].shape()), in[2].shape());
  return {shape, upcast(in[1].dtype(), in[2].dtype())};
}

}  // namespace tenure::infer

namespace tenure::grad {

Tensors where(const GradientArgs& args, const NoneAttrs&) {
  const Tensor zero = Tensor::scalar(0.0F);
  // The output does not depend smoothly on the condition, whose gradient is zeros.
  return {args.needs_grad(0) ? fill({.shape = args.in[0].shape()}) : Tensor(),
          args.needs_grad(1) ? where(args.in[0], args.g, zero) : Tensor(),
          args.needs_grad(2) ? where(args.in[0], zero, args.g) : Tensor()};
}

}  // namespace tenure::grad
