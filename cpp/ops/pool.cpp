#include "core/error.h"
#include "geometry/window.h"
#include "ops/infer.h"

namespace tenure::infer {
namespace {

TensorSpec pooled(const Tensor& x, const PoolAttrs& attrs, const char* op) {
  check_shape(x.rank() == 4, "x must be rank 4 but got rank ", x.rank(), ", shape ", x.shape());
  check_stride_or_dilation(op, attrs.stride_h, attrs.stride_w, attrs.dilation_h, attrs.dilation_w);
  const WindowAxis rows = window_axis(x.dim(1), attrs.window_h, attrs.stride_h, attrs.dilation_h,
                                      attrs.padding, attrs.pad_top, attrs.pad_bottom, attrs.rounding);
  const WindowAxis columns = window_axis(x.dim(2), attrs.window_w, attrs.stride_w, attrs.dilation_w,
                                         attrs.padding, attrs.pad_left, attrs.pad_right, attrs.rounding);
  return {{x.dim(0), rows.out, columns.out, x.dim(3)}, x.dtype()};
}

}  // namespace

TensorSpec max_pool(Inputs in, const PoolAttrs& attrs) {
  check(in[0].dtype() == DType::kFloat32 || in[0].dtype() == DType::kInt32,
        "expected a float32 or int32 tensor, got ", name_of(in[0].dtype()));
  return pooled(in[0], attrs, "maxPool");
}

TensorSpec avg_pool(Inputs in, const PoolAttrs& attrs) {
  check(in[0].dtype() == DType::kFloat32, "Argument 'x' passed to 'avgPool' must be float32 tensor, but got ",
        name_of(in[0].dtype()), " tensor");
  return pooled(in[0], attrs, "avgPool");
}

}  // namespace tenure::infer
