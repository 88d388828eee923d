#include "core/error.h"
#include "ops/infer.h"
#include "shape_util/conv.h"
#include "shape_util/mat_mul.h"

namespace tenure::infer {
namespace {

void check_columns(std::string_view what, const Tensor& x, std::int32_t columns) {
  check_shape(x.elements() == 1 || (x.rank() == 1 && x.dim(0) == columns), "expected one ", what, ", or [",
              columns, "], got ", x.shape());
}

/// Throws unless the matrices can be multiplied. Returns the shape of the product.
Shape multiply_shapes(const Shape& a, const Shape& b) {
  check_shape(a.rank >= 2 && b.rank >= 2, "expected matrices, got ", a, " and ", b);
  check_shape(a.back() == b.back(1), "matrices of ", a, " and ", b, " do not fit");
  Shape out = broadcast(get_batch_dims(a), get_batch_dims(b));
  out.push_back(a.back(1));
  out.push_back(b.back());
  return out;
}

}  // namespace

TensorSpec mat_mul_integer(Inputs in, const NoneAttrs&) {
  const Shape out = multiply_shapes(in[0].shape(), in[1].shape());
  if (in.has(2)) {
    const Tensor& zero = in[2];
    const bool is_per_row = in[0].rank() == 2 && zero.rank() == 1 && zero.dim(0) == in[0].dim(0);
    check_shape(zero.elements() == 1 || is_per_row, "expected one zero point of a, or one for each row, got ",
                zero.shape());
  }
  if (in.has(3)) check_columns("zero point of b", in[3], out.back());
  return {out, DType::kInt32};
}

TensorSpec dynamic_quantize_mat_mul(Inputs in, const NoneAttrs&) {
  check_shape(in[1].rank() == 2, "expected a matrix of weights, got ", in[1].shape());
  const Shape out = multiply_shapes(in[0].shape(), in[1].shape());
  check_columns("scale", in[2], out.back());
  if (in.has(3)) check_columns("zero point of b", in[3], out.back());
  if (in.has(4)) check_columns("bias", in[4], out.back());
  return {out, DType::kFloat32};
}

TensorSpec conv2d_integer(Inputs in, const IntegerConvAttrs& attrs) {
  const ConvGeometry geometry = conv2d_geometry(in[0].shape(), in[1].shape(), get_conv_attrs(attrs));
  check_shape(geometry.groups == 1 || geometry.group_in() == 1, "expected a filter of ", in[0].dim(3),
              " channels or of one, got ", in[1].dim(2));
  if (in.has(2)) check_columns("bias", in[2], geometry.out_channels);
  if (in.has(3)) check_columns("scale", in[3], geometry.out_channels);
  return {geometry.output(), in.has(3) ? DType::kFloat32 : DType::kInt32};
}

}  // namespace tenure::infer
