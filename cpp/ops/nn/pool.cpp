#include "core/error.h"
#include "ops/autodiff/gradient.h"
#include "ops/infer.h"
#include "ops/ops.h"
#include "shape_util/window.h"

namespace tenure::infer {
namespace {

TensorSpec pooled(const Tensor& x, const PoolAttrs& attrs, const char* op) {
  check_shape(x.rank() == 4, "x must be rank 4 but got rank ", x.rank(), ", shape ", x.shape());
  check_stride_or_dilation(op, attrs.stride_h, attrs.stride_w, attrs.dilation_h, attrs.dilation_w);
  const PoolGeometry geometry = pool_geometry(x.shape(), attrs);
  return {{x.dim(0), geometry.rows.out, geometry.columns.out, x.dim(3)}, x.dtype()};
}

Shape get_image_shape(const PoolBackpropAttrs& attrs) {
  const Shape x(attrs.input_shape);
  x.validate();
  check_shape(x.rank == 4, "expected images of rank 4, got shape ", x);
  return x;
}

/// Throws unless `given` is the shape of the pooled images `x`.
void check_pooled(const char* name, const Shape& given, const Shape& x, const PoolBackpropAttrs& attrs) {
  const PoolGeometry geometry = pool_geometry(x, attrs);
  const Shape expected = {x[0], geometry.rows.out, geometry.columns.out, x[3]};
  check_shape(given == expected, "expected ", name, " of shape ", expected, ", got ", given);
}

}  // namespace

TensorSpec max_pool(Inputs in, const PoolAttrs& attrs) { return pooled(in[0], attrs, "maxPool"); }

TensorSpec avg_pool(Inputs in, const PoolAttrs& attrs) { return pooled(in[0], attrs, "avgPool"); }

TensorSpec max_pool_positions(Inputs in, const PoolAttrs& attrs) {
  return {pooled(in[0], attrs, "maxPoolPositions").shape, DType::kInt32};
}

TensorSpec avg_pool_backprop(Inputs in, const PoolBackpropAttrs& attrs) {
  const Shape x = get_image_shape(attrs);
  check_pooled("dy", in[0].shape(), x, attrs);
  return {x, DType::kFloat32};
}

TensorSpec max_pool_backprop(Inputs in, const PoolBackpropAttrs& attrs) {
  const Shape x = get_image_shape(attrs);
  check_pooled("dy", in[0].shape(), x, attrs);
  check_pooled("positions", in[1].shape(), x, attrs);
  return {x, DType::kFloat32};
}

}  // namespace tenure::infer

namespace tenure::grad {

namespace {

template <class To, class From>
To copy_pool_attrs(const From& from) {
  auto to = copy_window_attrs<To>(from);
  to.window_h = from.window_h;
  to.window_w = from.window_w;
  return to;
}

PoolBackpropAttrs get_backward_attrs(const PoolAttrs& attrs, const Shape& x) {
  auto backward = copy_pool_attrs<PoolBackpropAttrs>(attrs);
  backward.input_shape = x;
  return backward;
}

}  // namespace

Tensors max_pool(const GradientArgs& args, const PoolAttrs& attrs) {
  const Tensor& x = args.in[0];
  return {max_pool_backprop(args.g, max_pool_positions(x, attrs), get_backward_attrs(attrs, x.shape()))};
}

// Gathers the gradient at the maximum of each window; a window without a maximum gets 0.
Tensors max_pool_backprop(const GradientArgs& args, const PoolBackpropAttrs&) {
  const Tensor& positions = args.in[1];
  const Tensor none = Tensor::scalar(0);
  const Tensor picked = gather(reshape(args.g, {{-1}}), maximum(positions, none));
  return {where(less(positions, none), Tensor::scalar(0.0F), picked)};
}

Tensors avg_pool(const GradientArgs& args, const PoolAttrs& attrs) {
  return {avg_pool_backprop(args.g, get_backward_attrs(attrs, args.in[0].shape()))};
}

Tensors avg_pool_backprop(const GradientArgs& args, const PoolBackpropAttrs& attrs) {
  return {avg_pool(args.g, copy_pool_attrs<PoolAttrs>(attrs))};
}

}  // namespace tenure::grad
