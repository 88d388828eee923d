#include "core/error.h"
#include "ops/autodiff/gradient.h"
#include "ops/infer.h"
#include "ops/ops.h"

namespace tenure::infer {
namespace {

std::int32_t get_channels(const Shape& x) { return x.rank > 0 ? x.back() : 1; }

// True for [channels] after any number of extents of 1, which is the shape that moments(keepDims) returns.
bool is_per_channel(const Shape& shape, const Shape& x) {
  const std::int32_t channels = get_channels(x);
  return shape.rank > 0 && shape.back() == channels && shape.elements() == static_cast<std::size_t>(channels);
}

}  // namespace

TensorSpec batch_norm(Inputs in, const BatchNormAttrs&) {
  const Tensor& x = in[0];
  for (int i = 1; i < in.size(); ++i) {
    if (!in.has(i)) continue;
    const char* name = op_def(Op::batch_norm).input(i).name;
    check_shape(in[i].rank() == in[1].rank(), "Batch normalization gradient requires mean and ", name,
                " to have equal ranks.");
    check_shape(in[i].shape() == x.shape() || is_per_channel(in[i].shape(), x.shape()), "expected ", name,
                " of shape ", Shape{get_channels(x.shape())}, " or ", x.shape(), ", got ", in[i].shape());
  }
  return x.spec();
}

}  // namespace tenure::infer

namespace tenure::grad {

Tensors batch_norm(const GradientArgs& args, const BatchNormAttrs& attrs) {
  const Tensor& x = args.in[0];
  const Tensor scale = args.in.has(4) ? args.in[4] : Tensor::scalar(1.0F);
  const Tensor inverse = rsqrt(add(args.in[2], Tensor::scalar(attrs.epsilon)));
  const Tensor normal = mul(sub(x, args.in[1]), inverse);
  const Tensor scaled = mul(mul(args.g, scale), inverse);
  Tensors gradients = {
      scaled, args.needs_grad(1) ? neg(scaled) : Tensor(),
      args.needs_grad(2) ? mul(mul(scaled, mul(normal, inverse)), Tensor::scalar(-0.5F)) : Tensor()};
  if (args.in.size() > 3) gradients.push_back(args.needs_grad(3) ? args.g : Tensor());
  if (args.in.size() > 4) gradients.push_back(args.needs_grad(4) ? mul(args.g, normal) : Tensor());
  return gradients;
}

}  // namespace tenure::grad
