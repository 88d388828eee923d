#include "core/error.h"
#include "ops/autodiff/gradient.h"
#include "ops/infer.h"
#include "ops/ops.h"
#include "shape_util/quantized_blocks.h"

namespace tenure {
namespace {

void check_blocks(const Tensor& packed, const Tensor& scales, const Tensor& zero_points,
                  const QuantizedBlocksAttrs& attrs) {
  check(attrs.bits == 2 || attrs.bits == 4 || attrs.bits == 8, "expected weights of 2, 4 or 8 bits, got ",
        attrs.bits);
  check(attrs.block_size >= 16 && (attrs.block_size & (attrs.block_size - 1)) == 0,
        "expected blocks of 16, 32 or another power of two, got ", attrs.block_size);
  check_shape(attrs.k >= 0, "expected a depth of 0 or more, got ", attrs.k);
  const std::int32_t blocks = count_blocks(attrs);
  check_shape(packed.rank() == 3 && packed.dim(1) == blocks && packed.dim(2) == block_bytes(attrs),
              "expected packed weights [n,", blocks, ",", block_bytes(attrs), "], got ", packed.shape());
  const auto rows = static_cast<std::uint64_t>(packed.dim(0));
  check_shape(scales.elements() == rows * static_cast<std::uint64_t>(blocks), "expected scales [", rows, ",",
              blocks, "], got ", scales.shape());
  if (!zero_points) return;
  const std::int32_t each = zero_points.dtype() == DType::kInt32 ? zero_point_bytes(attrs) : blocks;
  check_shape(zero_points.elements() == rows * static_cast<std::uint64_t>(each), "expected zero points [",
              rows, ",", each, "], got ", zero_points.shape());
}

Tensor optional(Inputs in, int i) { return in.has(i) ? in[i] : Tensor(); }

}  // namespace

namespace infer {

TensorSpec dequantize_blocks(Inputs in, const QuantizedBlocksAttrs& attrs) {
  check_blocks(in[0], in[1], optional(in, 2), attrs);
  return {{in[0].dim(0), attrs.k}, DType::kFloat32};
}

TensorSpec mat_mul_n_bits(Inputs in, const QuantizedBlocksAttrs& attrs) {
  check_blocks(in[1], in[2], optional(in, 3), attrs);
  Shape out = in[0].shape();
  check_shape(out.rank > 0 && out.back() == attrs.k, "expected a matrix of ", attrs.k, " columns, got ", out);
  out.back() = in[1].dim(0);
  return {out, DType::kFloat32};
}

}  // namespace infer

namespace grad {

Tensors mat_mul_n_bits(const GradientArgs& args, const QuantizedBlocksAttrs& attrs) {
  Tensors gradients(4);
  if (args.needs_grad(0)) {
    const Tensor weights = dequantize_blocks(args.in[1], args.in[2], optional(args.in, 3), attrs);
    const Shape& out = args.g.shape();
    const auto count = static_cast<std::int32_t>(out.elements(0, out.rank - 1));
    const Tensor rows = reshape(args.g, {Shape{count, weights.dim(0)}});
    gradients[0] = reshape(mat_mul(rows, weights), {args.in[0].shape()});
  }
  return gradients;
}

}  // namespace grad

}  // namespace tenure
