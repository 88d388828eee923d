#include "core/error.h"
#include "ops/autodiff/gradient.h"
#include "ops/infer.h"
#include "ops/ops.h"
#include "shape_util/mat_mul.h"

namespace tenure {
namespace {

void check_matrix(const char* argument, const Tensor& tensor) {
  check_shape(tensor.rank() >= 2, "Error in matMul: '", argument, "' must be at least rank 2, but got rank ",
              tensor.rank(), ".");
}

void check_bias(const Tensor& bias, const Shape& out, DType dtype) {
  check(bias.dtype() == dtype, "Argument 'bias' passed to 'matMul' must be ", get_name(dtype),
        " tensor, but got ", get_name(bias.dtype()), " tensor");
  check_shape(broadcasts_to(bias.shape(), out), "Error in fused matMul: bias shape ", bias.shape(),
              " must broadcast to the output's shape ", out);
}

}  // namespace

namespace infer {

TensorSpec mat_mul(Inputs in, const MatMulAttrs& attrs) {
  check_matrix("a", in[0]);
  check_matrix("b", in[1]);
  const Shape& a = in[0].shape();
  const Shape& b = in[1].shape();
  const std::int32_t inner_a = a.back(attrs.transpose_a ? 1 : 0);
  const std::int32_t inner_b = b.back(attrs.transpose_b ? 0 : 1);
  check_shape(inner_a == inner_b, "Error in matMul: inner shapes (", inner_a, ") and (", inner_b,
              ") of Tensors with shapes ", a, " and ", b, " and transposeA=", attrs.transpose_a != 0,
              " and transposeB=", attrs.transpose_b != 0, " must match.");
  Shape out = broadcast(get_batch_dims(a), get_batch_dims(b));
  out.push_back(a.back(attrs.transpose_a ? 0 : 1));
  out.push_back(b.back(attrs.transpose_b ? 1 : 0));
  const DType dtype = upcast(in[0].dtype(), in[1].dtype());
  if (in.has(2)) check_bias(in[2], out, dtype);
  check(dtype == DType::kFloat32 || attrs.activation == Activation::kLinear,
        "Error in fused matMul: an activation needs float32 tensors, but got int32");
  return {out, dtype};
}

}  // namespace infer

namespace grad {

Tensors mat_mul(const GradientArgs& args, const MatMulAttrs& attrs) {
  const Tensor& a = args.in[0];
  const Tensor& b = args.in[1];
  const bool a_transposed = attrs.transpose_a != 0;
  const bool b_transposed = attrs.transpose_b != 0;
  const auto product = [](const Tensor& left, const Tensor& right, bool transpose_left,
                          bool transpose_right) {
    return mat_mul(left, right, {.transpose_a = transpose_left, .transpose_b = transpose_right});
  };
  Tensors gradients(3);
  if (args.needs_grad(0))
    gradients[0] =
        a_transposed ? product(b, args.g, b_transposed, true) : product(args.g, b, false, !b_transposed);
  if (args.needs_grad(1))
    gradients[1] =
        b_transposed ? product(args.g, a, true, a_transposed) : product(a, args.g, !a_transposed, false);
  gradients[2] = args.g;
  return gradients;
}

}  // namespace grad

namespace composed {

Tensor dot(const Tensor& a, const Tensor& b, const NoneAttrs&) {
  check_shape(a.rank() >= 1 && a.rank() <= 2 && b.rank() >= 1 && b.rank() <= 2,
              "Error in dot: inputs must all be rank 1 or 2, but got ranks ", a.rank(), " and ", b.rank(),
              ".");
  const std::int32_t inner_a = a.shape().back();
  const std::int32_t inner_b = b.dim(0);
  check_shape(inner_a == inner_b, "Error in dot: inner dimensions of inputs must match, but got ", inner_a,
              " and ", inner_b, ".");
  const auto as_matrix = [](const Tensor& x, const Shape& shape) {
    // mat_mul does not take bools.
    const Tensor numbers = x.dtype() == DType::kBool ? cast(x, {DType::kInt32}) : x;
    return x.rank() == 2 ? numbers : reshape(numbers, {shape});
  };
  const Tensor row = as_matrix(a, {1, inner_a});
  const Tensor column = as_matrix(b, {inner_b, 1});
  Shape out;
  if (a.rank() == 2) out.push_back(a.dim(0));
  if (b.rank() == 2) out.push_back(b.dim(1));
  return reshape(mat_mul(row, column), {out});
}

Tensor outer_product(const Tensor& v1, const Tensor& v2, const NoneAttrs&) {
  check_shape(v1.rank() == 1 && v2.rank() == 1,
              "Error in outerProduct: inputs must be rank 1, but got ranks ", v1.rank(), " and ", v2.rank(),
              ".");
  return mul(reshape(v1, {{-1, 1}}), v2);
}

}  // namespace composed
}  // namespace tenure
