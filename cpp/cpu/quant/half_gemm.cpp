#include "cpu/quant/half_gemm.h"

#include <algorithm>

#include "cpu/gemm/epilogue.h"
#include "cpu/movement/transpose_block.h"
#include "cpu/quant/half_rows.h"
#include "cpu/threads/parallel.h"
#include "cpu/threads/scratch.h"

namespace tenure::cpu {
namespace {

// With more rows, it is faster to convert the weights once.
constexpr int kMaxFewRows = 6;

/// Returns the epilogue of the columns from `first` on.
gemm::Epilogue from_column(gemm::Epilogue epilogue, int first) {
  if (epilogue.bias) epilogue.bias += first;
  if (epilogue.scale) epilogue.scale += first;
  return epilogue;
}

/// Writes `count` columns of b from `first` on to panels of float32. `rows` is scratch of kNR * depth floats.
void convert_columns(const HalfMatrix& b, int first, int count, float* panels, float* rows) {
  const auto depth = static_cast<std::size_t>(b.depth);
  const auto columns = static_cast<std::size_t>(b.columns);
  for (int column = 0; column < count; column += gemm::kNR) {
    const int width = std::min(gemm::kNR, count - column);
    float* panel = panels + static_cast<std::size_t>(column) * depth;
    if (width < gemm::kNR) std::fill_n(panel, depth * gemm::kNR, 0.0F);
    const std::uint16_t* from =
        b.data + static_cast<std::size_t>(first + column) * (b.transposed ? depth : 1);
    if (b.transposed) {
      convert_rows(from, depth, static_cast<int>(depth), width, rows, depth);
      transpose_block(rows, static_cast<std::ptrdiff_t>(depth), panel, gemm::kNR, b.depth, width);
    } else {
      convert_rows(from, columns, width, b.depth, panel, gemm::kNR);
    }
  }
}

/// Multiplies many rows: each thread converts some columns of b at a time, to packed columns of a product of
/// float32.
void multiply_converted(const float* a, int rows, const HalfMatrix& b, float* c,
                        const gemm::Epilogue& epilogue) {
  const auto depth = static_cast<std::size_t>(b.depth);
  const auto columns = static_cast<std::size_t>(b.columns);
  const auto groups = (columns + gemm::kPackedColumns - 1) / gemm::kPackedColumns;
  const std::size_t panels_size = depth * gemm::kPackedColumns;
  const std::size_t slot_size = panels_size + (b.transposed ? gemm::kNR * depth : 0);
  const std::size_t grain = grain_size(panels_size * static_cast<std::size_t>(rows));
  const int threads = threads_for(groups, grain);
  Scratch<float> scratch(static_cast<std::size_t>(threads), slot_size);
  parallel_for(groups, grain, threads, [&](std::size_t begin, std::size_t end, int slot) {
    float* panels = scratch.data() + static_cast<std::size_t>(slot) * slot_size;
    const float* in[gemm::kMC];
    float* out[gemm::kMC];
    for (std::size_t group = begin; group < end; ++group) {
      const int first = static_cast<int>(group) * gemm::kPackedColumns;
      const int count = std::min(gemm::kPackedColumns, b.columns - first);
      convert_columns(b, first, count, panels, panels + panels_size);
      for (int row = 0; row < rows; row += gemm::kMC) {
        const int block = std::min(gemm::kMC, rows - row);
        gemm::fill_row_pointers(a + static_cast<std::size_t>(row) * depth, depth, block, in);
        gemm::fill_row_pointers(c + static_cast<std::size_t>(row) * columns + first, columns, block, out);
        gemm::multiply({in, gemm::kMC, 1, b.depth, out, block}, {panels, depth * gemm::kNR, gemm::kNR, count},
                       from_column(epilogue, first));
      }
    }
  });
}

/// Applies the epilogue to `count` columns of sums from `first` on.
void finish_rows(float* c, std::size_t stride, int rows, int first, int count,
                 const gemm::Epilogue& epilogue) {
  gemm::Epilogue part = from_column(epilogue, first);
  part.residual = part.slopes = nullptr;
  const gemm::VectorEpilogue apply_epilogue(part);
  for (int r = 0; r < rows; ++r) {
    float* const row = c + static_cast<std::size_t>(r) * stride + first;
    for (int i = 0; i < count; i += simd::kLanes) {
      const auto left = static_cast<std::size_t>(count - i);
      simd::F32 sum = left < simd::kLanes ? load_first(row + i, left) : load(row + i);
      if (part.scale) sum = sum * load(part.scale + i);
      store_up_to(row + i, apply_epilogue(sum, row + i, i), left);
    }
    activate(row, static_cast<std::size_t>(count), part.activation, part.alpha);
  }
}

/// Multiplies few rows: converts the weights in registers. Each thread takes some of the columns.
void multiply_few_rows(const float* a, int rows, const HalfMatrix& b, float* c,
                       const gemm::Epilogue& epilogue) {
  constexpr int kUnit = 64;
  const auto units = static_cast<std::size_t>((b.columns + kUnit - 1) / kUnit);
  const std::size_t work = static_cast<std::size_t>(b.depth) * kUnit * static_cast<std::size_t>(rows);
  const auto stride = static_cast<std::size_t>(b.columns);
  const HalfFactors factors(a, rows, b);
  parallel_for(units, grain_size(work), [&](std::size_t begin, std::size_t end) {
    const int first = static_cast<int>(begin) * kUnit;
    const int count = std::min(static_cast<int>(end) * kUnit, b.columns) - first;
    if (!epilogue.accumulate) {
      for (int r = 0; r < rows; ++r)
        std::fill_n(c + static_cast<std::size_t>(r) * stride + first, count, 0.0F);
    }
    factors.add_products(first, count, c);
    finish_rows(c, stride, rows, first, count, epilogue);
  });
}

}  // namespace

void multiply_halves(const float* a, int rows, bool transpose_a, const HalfMatrix& b, float* c,
                     const gemm::Epilogue& epilogue) {
  Scratch<float> turned;
  if (transpose_a) {
    turned = Scratch<float>(static_cast<std::size_t>(rows), static_cast<std::size_t>(b.depth));
    transpose_block(a, rows, turned.data(), b.depth, rows, b.depth);
    a = turned.data();
  }
  rows <= kMaxFewRows ? multiply_few_rows(a, rows, b, c, epilogue)
                      : multiply_converted(a, rows, b, c, epilogue);
}

}  // namespace tenure::cpu
