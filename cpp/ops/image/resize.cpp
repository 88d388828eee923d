#include "core/error.h"
#include "ops/autodiff/gradient.h"
#include "ops/infer.h"
#include "ops/ops.h"

namespace tenure::infer {
namespace {

TensorSpec resized(const Tensor& x, const ResizeAttrs& attrs, DType dtype) {
  check_shape(x.rank() == 4, "x must be rank 3 or 4, but got rank ", x.rank(), ", shape ", x.shape());
  check(x.dtype() == DType::kFloat32 || x.dtype() == DType::kInt32,
        "`images` must have `int32` or `float32` as dtype, got ", get_name(x.dtype()));
  check(attrs.height > 0 && attrs.width > 0, "expected a new size of 1 or more, got ",
        Dims{attrs.height, attrs.width});
  check(!attrs.half_pixel_centers || !attrs.align_corners,
        "If halfPixelCenters is true, alignCorners must be false.");
  check_shape((x.dim(1) > 0 && x.dim(2) > 0) || x.dim(0) == 0 || x.dim(3) == 0,
              "cannot resize images without pixels, of shape ", x.shape());
  return {{x.dim(0), attrs.height, attrs.width, x.dim(3)}, dtype};
}

}  // namespace

TensorSpec resize_nearest_neighbor(Inputs in, const ResizeAttrs& attrs) {
  return resized(in[0], attrs, in[0].dtype());
}

TensorSpec resize_bilinear(Inputs in, const ResizeAttrs& attrs) {
  return resized(in[0], attrs, DType::kFloat32);
}

TensorSpec resize_nearest_neighbor_backprop(Inputs in, const ResizeAttrs& attrs) {
  return resized(in[0], attrs, DType::kFloat32);
}

TensorSpec resize_bilinear_backprop(Inputs in, const ResizeAttrs& attrs) {
  return resized(in[0], attrs, DType::kFloat32);
}

}  // namespace tenure::infer

namespace tenure::grad {
namespace {

/// Returns the gradient as `op` of g, resized to the height and width of the op's input.
Tensors resize_gradient(Op op, const GradientArgs& args, ResizeAttrs attrs) {
  const Shape& x = args.in[0].shape();
  // The ops throw for a size of 0.
  if (x.elements() == 0) return {fill({.shape = x})};
  attrs.height = x[1];
  attrs.width = x[2];
  return {run(op, {&args.g}, AttrsView(attrs))};
}

}  // namespace

Tensors resize_nearest_neighbor(const GradientArgs& args, const ResizeAttrs& attrs) {
  return resize_gradient(Op::resize_nearest_neighbor_backprop, args, attrs);
}
Tensors resize_bilinear(const GradientArgs& args, const ResizeAttrs& attrs) {
  return resize_gradient(Op::resize_bilinear_backprop, args, attrs);
}
Tensors resize_nearest_neighbor_backprop(const GradientArgs& args, const ResizeAttrs& attrs) {
  return resize_gradient(Op::resize_nearest_neighbor, args, attrs);
}
Tensors resize_bilinear_backprop(const GradientArgs& args, const ResizeAttrs& attrs) {
  return resize_gradient(Op::resize_bilinear, args, attrs);
}

}  // namespace tenure::grad
