#include "core/error.h"
#include "geometry/window.h"
#include "ops/gradient.h"
#include "ops/infer.h"
#include "ops/ops.h"

namespace tenure::infer {
namespace {

TensorSpec pooled(const Tensor& x, const PoolAttrs& attrs, const char* op) {
  check_shape(x.rank() == 4, "x must be rank 4 but got rank ", x.rank(), ", shape ", x.shape());
  check_stride_or_dilation(op, attrs.stride_h, attrs.stride_w, attrs.dilation_h, attrs.dilation_w);
  const PoolGeometry geometry = pool_geometry(x.shape(), attrs);
  return {{x.dim(0), geometry.rows.out, geometry.columns.out, x.dim(3)}, x.dtype()};
}

}  // namespace

TensorSpec max_pool(Inputs in, const PoolAttrs& attrs) { return pooled(in[0], attrs, "maxPool"); }

TensorSpec avg_pool(Inputs in, const PoolAttrs& attrs) { return pooled(in[0], attrs, "avgPool"); }

TensorSpec max_pool_positions(Inputs in, const PoolAttrs& attrs) {
  return {pooled(in[0], attrs, "maxPoolPositions").shape, DType::kInt32};
}

TensorSpec avg_pool_backprop(Inputs in, const PoolBackpropAttrs& attrs) {
  const Shape x(attrs.input_shape);
  x.validate();
  check_shape(x.rank == 4, "expected images of rank 4, got shape ", x);
  const PoolGeometry geometry = pool_geometry(x, attrs);
  const Shape expected = {x[0], geometry.rows.out, geometry.columns.out, x[3]};
  check_shape(in[0].shape() == expected, "expected dy of shape ", expected, ", got ", in[0].shape());
  return {x, DType::kFloat32};
}

}  // namespace tenure::infer

namespace tenure::grad {

namespace {

template <class To, class From>
To windows_as(const From& from) {
  auto to = moving_as<To>(from);
  to.window_h = from.window_h;
  to.window_w = from.window_w;
  return to;
}

}  // namespace

Tensors max_pool(const GradientArgs& args, const PoolAttrs& attrs) {
  const Shape& x = args.in[0].shape();
  const Tensor positions = reshape(max_pool_positions(args.in[0], attrs), {{-1}});
  const auto elements = static_cast<std::int32_t>(x.elements());
  return {reshape(unsorted_segment_sum(reshape(args.g, {{-1}}), positions, {.segments = elements}), {x})};
}

Tensors avg_pool(const GradientArgs& args, const PoolAttrs& attrs) {
  auto backward = windows_as<PoolBackpropAttrs>(attrs);
  backward.input_shape = args.in[0].shape();
  return {avg_pool_backprop(args.g, backward)};
}

Tensors avg_pool_backprop(const GradientArgs& args, const PoolBackpropAttrs& attrs) {
  return {avg_pool(args.g, windows_as<PoolAttrs>(attrs))};
}

}  // namespace tenure::grad
