#include <optional>

#include "gl/device/context.h"
#include "gl/kernels.h"
#include "gl/kernels/elementwise.h"
#include "gl/matmul/matmul_conv.h"
#include "shape_util/mat_mul.h"

namespace tenure::gl {
namespace {

/// True if the only output is a dot product so long that a single fragment would be slow. False if the
/// products, which are stored, would be rounded to float16.
bool can_use_dot_product(const Tensor& out, int depth) {
  constexpr int kLongVector = 1024;
  const bool is_exact = out.dtype() != DType::kFloat32 || context().float_type() == TexelType::kFloat;
  return out.elements() == 1 && depth >= kLongVector && is_exact;
}

void run_dot_product(const Tensor& a, const Tensor& b, Tensor& out) {
  const TensorSpec flat{{static_cast<std::int32_t>(a.elements())}, out.dtype()};
  const Tensor x(a.storage(), flat);
  const Tensor y(b.storage(), flat);
  Tensor products = Tensor::deferred(flat);
  run_binary(Op::mul, {{&x, &y}, {}, products});
  sum({{&products}, AttrsView(ReduceAttrs{}), out});
}

void multiply(const KernelArgs& args, const MatMulAttrs& attrs, const Tensor* bias, Tensor* packed) {
  const Tensor& a = args.in[0];
  const Tensor& b = args.in[1];
  int rows = args.out.shape().back(1);
  const int columns = args.out.shape().back();
  const int depth = a.shape().back(attrs.transpose_a ? 1 : 0);
  const bool is_plain = !bias && attrs.activation == Activation::kLinear;
  if (is_plain && can_use_dot_product(args.out, depth)) return run_dot_product(a, b, args.out);
  // A vector has the same layout transposed.
  const bool transpose_a = attrs.transpose_a && rows > 1 && depth > 1;
  const bool transpose_b = attrs.transpose_b && columns > 1 && depth > 1;
  std::optional<BroadcastPlan> batch;
  if (b.rank() == 2 && !transpose_a) {
    // A batch times one matrix is one matmul with more rows.
    rows = static_cast<int>(args.out.elements() / static_cast<std::size_t>(columns));
  } else if (args.out.rank() > 2) {
    batch.emplace(get_batch_dims(a.shape()), get_batch_dims(b.shape()), get_batch_dims(args.out.shape()));
  }
  if (columns == 1 && !batch) {
    // A single column is computed as the row of the transposed result, whose outputs fill texels.
    return run_matmul_conv({.x = b,
                            .filter = a,
                            .bias = bias,
                            .out = args.out,
                            .g = matrix_geometry(1, depth, rows),
                            .activation = attrs.activation,
                            .alpha = attrs.alpha,
                            .transpose_filter = !transpose_a});
  }
  run_matmul_conv({.x = a,
                   .filter = b,
                   .bias = bias,
                   .out = args.out,
                   .g = matrix_geometry(rows, depth, columns),
                   .activation = attrs.activation,
                   .alpha = attrs.alpha,
                   .transpose_x = transpose_a,
                   .transpose_filter = transpose_b,
                   .batch = batch ? &*batch : nullptr,
                   .packed = packed});
}

/// Multiplies, and adds a bias that is not one value per column by broadcasting.
void multiply_and_add(const KernelArgs& args, const MatMulAttrs& attrs, Tensor* packed) {
  Tensor product = Tensor::deferred(args.out.spec());
  multiply({args.in, args.attrs, product}, {attrs.transpose_a, attrs.transpose_b}, nullptr, packed);
  if (attrs.activation == Activation::kLinear)
    return run_binary(Op::add, {{&product, &args.in[2]}, {}, args.out});
  Tensor sum = Tensor::deferred(args.out.spec());
  run_binary(Op::add, {{&product, &args.in[2]}, {}, sum});
  Pass pass("activate");
  pass.input("x", sum);
  add_finish(pass, attrs.activation, attrs.alpha);
  pass.texels(args.out, {kFinishSource, "T4 texel(int i) { return FINISH(x_at_fragment()); }\n"_glsl});
}

Tensor as_float(const Tensor& x) {
  Tensor converted = Tensor::deferred({x.shape(), DType::kFloat32});
  cast({{&x}, AttrsView(CastAttrs{DType::kFloat32}), converted});
  return converted;
}

}  // namespace

void mat_mul(const KernelArgs& args) { mat_mul(args, nullptr); }

void mat_mul(const KernelArgs& args, Tensor* packed) {
  const auto attrs = args.attrs.as<MatMulAttrs>();
  const Tensor* bias = args.in.has(2) ? &args.in[2] : nullptr;
  const DType dtype = args.out.dtype();
  if (args.in[0].dtype() != dtype || args.in[1].dtype() != dtype) {
    const Tensor a = args.in[0].dtype() == dtype ? args.in[0] : as_float(args.in[0]);
    const Tensor b = args.in[1].dtype() == dtype ? args.in[1] : as_float(args.in[1]);
    const Tensor none;
    return mat_mul({{&a, &b, bias ? bias : &none}, args.attrs, args.out});
  }
  if (bias && !is_column_bias(bias->shape(), args.out.shape().back()))
    return multiply_and_add(args, attrs, packed);
  multiply(args, attrs, bias, packed);
}

}  // namespace tenure::gl
