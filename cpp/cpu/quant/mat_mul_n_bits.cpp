#include <algorithm>

#include "cpu/gemm/gemm.h"
#include "cpu/kernels.h"
#include "cpu/movement/transpose_block.h"
#include "cpu/quant/block_weights.h"
#include "cpu/threads/parallel.h"

namespace tenure::cpu {
namespace {

// With more rows, it is faster to dequantize the weights once.
constexpr int kMaxRowsInIntegers = 2;

/// Computes out = a * weights' in float32. Each thread dequantizes some rows of the weights at a time, as
/// packed columns of the product.
void multiply_dequantized(const float* a, int rows, const BlockWeights& weights, float* out) {
  const int depth = weights.depth();
  const auto columns = static_cast<std::size_t>(weights.rows());
  const auto groups = (columns + gemm::kPackedColumns - 1) / gemm::kPackedColumns;
  const auto padded = static_cast<std::size_t>(weights.padded_depth());
  const std::size_t panels_size = static_cast<std::size_t>(depth) * gemm::kPackedColumns;
  const std::size_t slot_size = panels_size + gemm::kNR * padded;
  const std::size_t grain = grain_size(panels_size * static_cast<std::size_t>(rows));
  const int threads = threads_for(groups, grain);
  Scratch<float> scratch(static_cast<std::size_t>(threads), slot_size);
  parallel_for(groups, grain, threads, [&](std::size_t begin, std::size_t end, int slot) {
    float* panels = scratch.data() + static_cast<std::size_t>(slot) * slot_size;
    float* dequantized = panels + panels_size;
    const float* in[gemm::kMC];
    float* to[gemm::kMC];
    for (std::size_t group = begin; group < end; ++group) {
      const int first = static_cast<int>(group) * gemm::kPackedColumns;
      const int count = std::min(gemm::kPackedColumns, weights.rows() - first);
      for (int column = 0; column < count; column += gemm::kNR) {
        const int width = std::min(gemm::kNR, count - column);
        for (int i = 0; i < width; ++i)
          weights.dequantize_row(first + column + i, dequantized + static_cast<std::size_t>(i) * padded);
        float* panel = panels + static_cast<std::size_t>(column) * static_cast<std::size_t>(depth);
        if (width < gemm::kNR) std::fill_n(panel, static_cast<std::size_t>(depth) * gemm::kNR, 0.0F);
        transpose_block(dequantized, static_cast<std::ptrdiff_t>(padded), panel, gemm::kNR, depth, width);
      }
      for (int row = 0; row < rows; row += gemm::kMC) {
        const int block = std::min(gemm::kMC, rows - row);
        gemm::fill_row_pointers(a + static_cast<std::size_t>(row) * static_cast<std::size_t>(depth),
                                static_cast<std::size_t>(depth), block, in);
        gemm::fill_row_pointers(out + static_cast<std::size_t>(row) * columns + first, columns, block, to);
        gemm::multiply({in, gemm::kMC, 1, depth, to, block},
                       {panels, static_cast<std::size_t>(depth) * gemm::kNR, gemm::kNR, count}, {});
      }
    }
  });
}

/// Computes out = a * weights' in fixed point. Returns false if it cannot.
bool multiply_in_integers(const float* a, int rows, const BlockWeights& weights, float* out) {
  if (!can_multiply_row(weights)) return false;
  FixedPointRow row(weights.padded_depth(), weights.block_size());
  for (int r = 0; r < rows; ++r) {
    const auto from = static_cast<std::size_t>(r) * static_cast<std::size_t>(weights.depth());
    if (!row.fill(a + from, weights.depth(), weights.bits())) return false;
    multiply_row(row, weights, out + static_cast<std::size_t>(r) * static_cast<std::size_t>(weights.rows()));
  }
  return true;
}

}  // namespace

void mat_mul_n_bits(const KernelArgs& args) {
  const auto attrs = args.attrs.as<QuantizedBlocksAttrs>();
  float* out = args.out.mutable_data<float>();
  if (attrs.k == 0) {
    std::fill_n(out, args.out.elements(), 0.0F);
    return;
  }
  const BlockWeights weights(args.in, 1, attrs);
  const auto* a = args.in[0].data<float>();
  const auto rows = static_cast<int>(args.out.elements() / static_cast<std::size_t>(weights.rows()));
  if (rows <= kMaxRowsInIntegers && multiply_in_integers(a, rows, weights, out)) return;
  multiply_dequantized(a, rows, weights, out);
}

void dequantize_blocks(const KernelArgs& args) {
  const auto attrs = args.attrs.as<QuantizedBlocksAttrs>();
  const BlockWeights weights(args.in, 0, attrs);
  Scratch<float> row(static_cast<std::size_t>(weights.padded_depth()));
  float* to = args.out.mutable_data<float>();
  for (int r = 0; r < weights.rows(); ++r, to += weights.depth()) {
    weights.dequantize_row(r, row.data());
    std::copy_n(row.data(), weights.depth(), to);
  }
}

}  // namespace tenure::cpu
