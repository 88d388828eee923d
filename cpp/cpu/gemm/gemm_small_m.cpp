// Products of few rows with an unpacked matrix, which is read sequentially.
#include <algorithm>

#include "cpu/gemm/gemm_microkernel.h"

namespace tenure::cpu::gemm {
namespace {

using simd::F32;
using simd::kLanes;

// Adds the products of kRows factors, from the k-th on, of each of kInputs rows with kRows rows of `b`, which
// are read sequentially. The last few columns are summed in the same order as the others, because the
// threads' split decides which columns are the last.
template <int kInputs, int kRows>
[[gnu::noinline]] void add_rows(const float* const* in, int k, const float* b, std::size_t row_stride,
                                int columns, float* const* outs) {
  F32 factor[kInputs][kRows];
  float* out[kInputs];
  const float* row[kRows];
  for (int i = 0; i < kRows; ++i) row[i] = b + static_cast<std::size_t>(i) * row_stride;
  for (int r = 0; r < kInputs; ++r) {
    out[r] = outs[r];
    for (int i = 0; i < kRows; ++i) factor[r][i] = F32::load_splat(in[r] + k + i);
  }
  int c = 0;
  for (; c + kLanes <= columns; c += kLanes) {
    F32 sum[kInputs];
    for (int r = 0; r < kInputs; ++r) sum[r] = load(out[r] + c);
    for (int i = 0; i < kRows; ++i) {
      const F32 x = load(row[i] + c);
      for (int r = 0; r < kInputs; ++r) sum[r] = madd(factor[r][i], x, sum[r]);
    }
    for (int r = 0; r < kInputs; ++r) store(out[r] + c, sum[r]);
  }
  if (c == columns) return;
  for (int r = 0; r < kInputs; ++r) {
    F32 sum = load_first(out[r] + c, static_cast<std::size_t>(columns - c));
    for (int i = 0; i < kRows; ++i) sum = madd(factor[r][i], load(row[i] + c), sum);
    store_first(out[r] + c, sum, static_cast<std::size_t>(columns - c));
  }
}

// Runs add_rows() over the whole depth for the rows [first, end), kInputs at a time while the rows of `b` are
// in the first-level cache.
template <int kInputs, int kRows>
void add_all_rows(const IndirectionBuffer& rows, int first, int end, const Panels& b) {
  int k = 0;
  for (; k + kRows <= rows.depth; k += kRows) {
    for (int r = first; r < end; r += kInputs)
      add_rows<kInputs, kRows>(rows.in + r, k, b.at(k, 0), b.row_stride, b.columns, rows.out + r);
  }
  for (; k < rows.depth; ++k) {
    for (int r = first; r < end; ++r)
      add_rows<1, 1>(rows.in + r, k, b.at(k, 0), b.row_stride, b.columns, rows.out + r);
  }
}

}  // namespace

void multiply_small_m(const IndirectionBuffer& rows, const Panels& b, const Epilogue& epilogue) {
  if (!epilogue.accumulate) {
    for (int r = 0; r < rows.count; ++r) std::fill_n(rows.out[r], b.columns, 0.0F);
  }
  // Registers hold four factors of two rows and their sums.
  const int pairs = rows.count / 2 * 2;
  if (pairs > 0) add_all_rows<2, 4>(rows, 0, pairs, b);
  if (pairs < rows.count) add_all_rows<1, kStreamedRows>(rows, pairs, rows.count, b);
  const VectorEpilogue apply_epilogue(epilogue);
  for (int r = 0; r < rows.count; ++r) {
    float* out = rows.out[r];
    int c = 0;
    for (; c + kLanes <= b.columns; c += kLanes, out += kLanes) store(out, apply_epilogue(load(out), out, c));
    if (c == b.columns) continue;
    const auto rest = static_cast<std::size_t>(b.columns - c);
    store_first(out, apply_epilogue(load_first(out, rest), out, c), rest);
  }
}

}  // namespace tenure::cpu::gemm
