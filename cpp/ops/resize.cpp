#include "core/error.h"
#include "ops/gradient.h"
#include "ops/infer.h"
#include "ops/ops.h"

namespace tenure::infer {
namespace {

TensorSpec resized(const Tensor& x, const ResizeAttrs& attrs, DType dtype) {
  check_shape(x.rank() == 4, "x must be rank 3 or 4, but got rank ", x.rank(), ", shape ", x.shape());
  check(x.dtype() == DType::kFloat32 || x.dtype() == DType::kInt32,
        "`images` must have `int32` or `float32` as dtype, got ", name_of(x.dtype()));
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

ResizeAttrs back(const GradientArgs& args, ResizeAttrs attrs) {
  attrs.height = args.in[0].dim(1);
  attrs.width = args.in[0].dim(2);
  return attrs;
}

}  // namespace

Tensors resize_nearest_neighbor(const GradientArgs& args, const ResizeAttrs& attrs) {
  return {resize_nearest_neighbor_backprop(args.g, back(args, attrs))};
}
Tensors resize_bilinear(const GradientArgs& args, const ResizeAttrs& attrs) {
  return {resize_bilinear_backprop(args.g, back(args, attrs))};
}
Tensors resize_nearest_neighbor_backprop(const GradientArgs& args, const ResizeAttrs& attrs) {
  return {resize_nearest_neighbor(args.g, back(args, attrs))};
}
Tensors resize_bilinear_backprop(const GradientArgs& args, const ResizeAttrs& attrs) {
  return {resize_bilinear(args.g, back(args, attrs))};
}

}  // namespace tenure::grad
