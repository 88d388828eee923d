#include <optional>

#include "shape_util/mat_mul.h"
#include "webgpu/elementwise/activation.h"
#include "webgpu/elementwise/elementwise.h"
#include "webgpu/kernels.h"
#include "webgpu/matmul/integer_product.h"
#include "webgpu/matmul/matmul_conv.h"
#include "webgpu/shader/packed_input.h"

namespace tenure::webgpu {
namespace {

void multiply_floats(const KernelArgs& args, const MatMulAttrs& attrs, const Tensor* bias) {
  const MatrixSizes sizes = get_sizes(args, attrs);
  const auto& [rows, columns, depth, batch] = sizes;
  // A vector has the same layout transposed.
  const bool transpose_a = attrs.transpose_a && rows > 1 && depth > 1;
  const bool transpose_b = attrs.transpose_b && columns > 1 && depth > 1;
  const bool is_column_vector = columns == 1 && !batch && (!bias || bias->elements() == 1);
  if (is_column_vector) {
    // Computed as the row of the transposed result, whose outputs fill vectors.
    return run_matmul_conv({.x = args.in[1],
                            .f = args.in[0],
                            .bias = bias,
                            .out = args.out,
                            .rows = 1,
                            .columns = rows,
                            .depth = depth,
                            .x_channels = depth,
                            .transpose_f = !transpose_a,
                            .activation = attrs.activation,
                            .alpha = attrs.alpha});
  }
  const std::optional<PackedInput> packed = PackedInput::find(args.in[1]);
  run_matmul_conv({.x = args.in[0],
                   .f = args.in[1],
                   .bias = bias,
                   .out = args.out,
                   .rows = rows,
                   .columns = columns,
                   .depth = depth,
                   .x_channels = depth,
                   .transpose_x = transpose_a,
                   .transpose_f = transpose_b,
                   .packed = packed ? &*packed : nullptr,
                   .batch = batch ? &*batch : nullptr,
                   .activation = attrs.activation,
                   .alpha = attrs.alpha});
}

void multiply(const KernelArgs& args, const MatMulAttrs& attrs, const Tensor* bias) {
  args.out.dtype() == DType::kFloat32 ? multiply_floats(args, attrs, bias) : multiply_integers(args, attrs);
}

/// Multiplies, and adds a bias that is not one value per column by broadcasting.
void multiply_and_add(const KernelArgs& args, const MatMulAttrs& attrs) {
  Tensor product = Tensor::deferred(args.out.spec());
  multiply({args.in, args.attrs, product}, {attrs.transpose_a, attrs.transpose_b}, nullptr);
  if (attrs.activation == Activation::kLinear)
    return run_binary(Op::add, {{&product, &args.in[2]}, {}, args.out});
  Tensor sum = Tensor::deferred(args.out.spec());
  run_binary(Op::add, {{&product, &args.in[2]}, {}, sum});
  Dispatch dispatch("activate");
  dispatch.input4("x", sum).output4();
  add_activation(dispatch, attrs.activation, attrs.alpha);
  dispatch.elements(args.out, "fn run(i:i32){out[i]=activate(x[i]);}");
}

Tensor as_float(const Tensor& x) {
  Tensor converted = Tensor::deferred({x.shape(), DType::kFloat32});
  cast({{&x}, AttrsView(CastAttrs{DType::kFloat32}), converted});
  return converted;
}

}  // namespace

void mat_mul(const KernelArgs& args) {
  const auto attrs = args.attrs.as<MatMulAttrs>();
  const Tensor* bias = args.in.has(2) ? &args.in[2] : nullptr;
  const DType dtype = args.out.dtype();
  if (args.in[0].dtype() != dtype || args.in[1].dtype() != dtype) {
    const Tensor a = args.in[0].dtype() == dtype ? args.in[0] : as_float(args.in[0]);
    const Tensor b = args.in[1].dtype() == dtype ? args.in[1] : as_float(args.in[1]);
    const Tensor none;
    return mat_mul({{&a, &b, bias ? bias : &none}, args.attrs, args.out});
  }
  const bool fuses_bias = dtype == DType::kFloat32 && bias && bias->dtype() == dtype &&
                          is_column_bias(bias->shape(), args.out.shape().back());
  if (bias && !fuses_bias) return multiply_and_add(args, attrs);
  multiply(args, attrs, bias);
}

}  // namespace tenure::webgpu
