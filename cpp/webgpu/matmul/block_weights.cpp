#include "webgpu/matmul/block_weights.h"

#include <bit>

#include "shape_util/quantized_blocks.h"
#include "webgpu/kernels.h"
#include "webgpu/matmul/block_rows.wgsl.h"
#include "webgpu/matmul/block_rows_workgroup.wgsl.h"
#include "webgpu/matmul/block_weights.wgsl.h"
#include "webgpu/matmul/integer_product.h"
#include "webgpu/matmul/matmul_conv.h"
#include "webgpu/shader/wgsl.h"

namespace tenure::webgpu {
namespace {

/// Number of rows up to which columns are summed by a few threads each, which read a weight once.
constexpr int kMaxFewRows = 4;
/// Threads of a workgroup that sum a column together.
constexpr int kLanes = 16;

/// True if there are weights, and WGSL can count them.
bool can_index(int rows, const QuantizedBlocksAttrs& attrs) {
  return attrs.k > 0 && std::int64_t{rows} * count_blocks(attrs) * attrs.block_size <= INT32_MAX;
}

/// Multiplies few rows: threads, or groups of neighbouring threads, sum a column of all rows.
void multiply_few_rows(const KernelArgs& args, const BlockWeights& weights, int rows, int depth) {
  const bool is_group = !is_software();
  const int columns = args.out.shape().back();
  Dispatch dispatch(is_group ? "block_rows_workgroup" : "block_rows");
  dispatch.constant("LANES", is_group ? kLanes : 1)
      .constant("ROWS", rows > 1 ? kMaxFewRows : 1)
      .constant("DEPTH_WHOLE", depth % 4 == 0)
      .input4("x", args.in[0])
      .set("rows", rows)
      .set("columns", columns)
      .set("depth", depth);
  weights.add_to(dispatch);
  if (!is_group) {
    return dispatch.threads(
        args.out, static_cast<std::size_t>(columns),
        {wgsl::kBlockWeights, wgsl::kBlockRows, "fn run(i:i32){store_sums(0,i,lane_sums(0,i,0));}"});
  }
  constexpr int kColumns = static_cast<int>(Dispatch::kThreads) / kLanes;
  dispatch.workgroups(args.out,
                      fold_workgroups(static_cast<std::size_t>((columns + kColumns - 1) / kColumns)),
                      {wgsl::kBlockWeights, wgsl::kBlockRows, wgsl::kBlockRowsWorkgroup});
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

void mat_mul_n_bits(const KernelArgs& args) {
  const auto attrs = args.attrs.as<QuantizedBlocksAttrs>();
  const int columns = args.out.shape().back();
  const auto rows = static_cast<int>(args.out.elements() / static_cast<std::size_t>(columns));
  if (!can_index(columns, attrs)) return fall_back_to_cpu(Op::mat_mul_n_bits, args);
  const BlockWeights weights(args.in, 1, attrs);
  if (rows <= kMaxFewRows) return multiply_few_rows(args, weights, rows, attrs.k);
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
