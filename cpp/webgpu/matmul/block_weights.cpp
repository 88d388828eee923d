#include "webgpu/matmul/block_weights.h"

#include <bit>

#include "shape_util/quantized_blocks.h"
#include "webgpu/kernels.h"
#include "webgpu/matmul/block_row.wgsl.h"
#include "webgpu/matmul/block_weights.wgsl.h"
#include "webgpu/matmul/dequantize_blocks.wgsl.h"
#include "webgpu/matmul/integer_product.h"
#include "webgpu/matmul/matmul_conv.h"
#include "webgpu/shader/vec4_dispatch.h"
#include "webgpu/shader/wgsl.h"

namespace tenure::webgpu {
namespace {

/// Threads of a workgroup that sum a column together.
constexpr int kLanes = 16;

/// True if there are weights, and WGSL can count them.
bool can_index(int rows, const QuantizedBlocksAttrs& attrs) {
  return attrs.k > 0 && std::int64_t{rows} * count_blocks(attrs) * attrs.block_size <= INT32_MAX;
}

/// Multiplies a single row: groups of neighbouring threads sum a column.
void multiply_row(const KernelArgs& args, const BlockWeights& weights, int depth) {
  const int columns = args.out.shape().back();
  Dispatch dispatch("block_row");
  dispatch.constant("LANES", kLanes).input4("x", args.in[0]).set("columns", columns).set("depth", depth);
  weights.add_to(dispatch);
  constexpr int kColumns = static_cast<int>(Dispatch::kThreads) / kLanes;
  dispatch.workgroups(args.out,
                      fold_workgroups(static_cast<std::size_t>((columns + kColumns - 1) / kColumns)),
                      {wgsl::kBlockWeights, wgsl::kBlockRow});
}

}  // namespace

BlockWeights::BlockWeights(Inputs in, int first, const QuantizedBlocksAttrs& attrs)
    : attrs_(attrs), blocks_(count_blocks(attrs)), words_(pack_bytes(in[first])), scales_(in[first + 1]) {
  if (!in.has(first + 2)) return;
  const Tensor& zeros = in[first + 2];
  zeros_ = zeros.dtype() == DType::kInt32 ? pack_bytes(zeros) : zeros;
}

void BlockWeights::add_to(Dispatch& dispatch) const {
  const auto log2 = [](int power) { return std::countr_zero(static_cast<unsigned>(power)); };
  dispatch.input("f", words_).input("scales", scales_);
  dispatch
      .set("f_bits",
           std::array{attrs_.bits, log2(32 / attrs_.bits), log2(attrs_.block_size), (1 << attrs_.bits) - 1})
      .set("f_rows", std::array{blocks_, zero_point_bytes(attrs_) * 8, 1 << (attrs_.bits - 1), 0});
  if (!zeros_) {
    dispatch.declare("fn zero_point(block:i32)->f32{return f32(params.f_rows.z);}");
    return;
  }
  dispatch.input("zeros", zeros_);
  dispatch.declare(zeros_.dtype() == DType::kFloat32 ? "fn zero_point(block:i32)->f32{return zeros[block];}"
                                                     : R"(
    fn zero_point(block: i32) -> f32 {
      let row = block / params.f_rows.x;
      let bit = row * params.f_rows.y + (block - row * params.f_rows.x) * params.f_bits.x;
      return f32((zeros[bit >> 5u] >> u32(bit & 31)) & params.f_bits.w);
    }
  )"_wgsl);
}

void dequantize_blocks(const KernelArgs& args) {
  const auto attrs = args.attrs.as<QuantizedBlocksAttrs>();
  if (!can_index(args.out.dim(0), attrs)) return fall_back_to_cpu(Op::dequantize_blocks, args);
  const BlockWeights weights(args.in, 0, attrs);
  Vec4Dispatch dispatch("dequantize_blocks", attrs.k % 4 == 0);
  weights.add_to(dispatch);
  dispatch.set("depth", dispatch.count(attrs.k))
      .set("stored_depth", dispatch.count(weights.padded_depth()))
      .declare(dispatch.whole() ? "fn stored_unit(i:i32)->U{return f_vector(i);}"
                                : "fn stored_unit(i:i32)->U{return f_vector(i>>2u)[i&3];}");
  dispatch.run(args.out, {wgsl::kBlockWeights, wgsl::kDequantizeBlocks});
}

void mat_mul_n_bits(const KernelArgs& args) {
  const auto attrs = args.attrs.as<QuantizedBlocksAttrs>();
  const int columns = args.out.shape().back();
  const auto rows = static_cast<int>(args.out.elements() / static_cast<std::size_t>(columns));
  if (!can_index(columns, attrs)) return fall_back_to_cpu(Op::mat_mul_n_bits, args);
  const BlockWeights weights(args.in, 1, attrs);
  // Software renderers run barriers badly.
  if (rows == 1 && !is_software()) return multiply_row(args, weights, attrs.k);
  run_matmul_conv({.x = args.in[0],
                   .f = args.in[1],
                   .out = args.out,
                   .rows = rows,
                   .columns = columns,
                   .depth = attrs.k,
                   .x_channels = attrs.k,
                   .transpose_f = true,
                   .blocks = &weights});
}

}  // namespace tenure::webgpu
