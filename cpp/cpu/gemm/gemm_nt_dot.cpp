#include <algorithm>
#include <utility>

#include "core/run/backend.h"
#include "cpu/gemm/epilogue.h"
#include "cpu/threads/parallel.h"
#include "cpu/threads/scratch.h"

namespace tenure::cpu::gemm {
namespace {

using simd::F32;
using simd::kLanes;

// Returns the lane sums of four vectors.
F32 sum_lanes(const F32 (&x)[4]) {
  const simd::RawF32 a = __builtin_shufflevector(x[0].v, x[1].v, 0, 4, 1, 5) +
                         __builtin_shufflevector(x[0].v, x[1].v, 2, 6, 3, 7);
  const simd::RawF32 b = __builtin_shufflevector(x[2].v, x[3].v, 0, 4, 1, 5) +
                         __builtin_shufflevector(x[2].v, x[3].v, 2, 6, 3, 7);
  return __builtin_shufflevector(a, b, 0, 1, 4, 5) + __builtin_shufflevector(a, b, 2, 3, 6, 7);
}

// Returns the dot products of one row with kCount others, in the first lanes.
template <int kCount>
[[gnu::always_inline]] inline F32 dots(const float* a, const float* b, std::size_t b_stride, int depth) {
  const float* row[kCount] = {b};
#pragma GCC unroll 3
  for (int i = 1; i < kCount; ++i) row[i] = row[i - 1] + b_stride;
  F32 sum[4] = {0.0F, 0.0F, 0.0F, 0.0F};
  int k = 0;
#pragma GCC unroll 1
  for (; k + kLanes <= depth; k += kLanes) {
    const F32 x = load(a + k);
    // Without unrolling, the sums are kept in memory.
#pragma GCC unroll 4
    for (int i = 0; i < kCount; ++i) sum[i] = madd(x, load(row[i] + k), sum[i]);
  }
#pragma GCC unroll 1
  for (; k < depth; ++k) {
#pragma GCC unroll 4
    for (int i = 0; i < kCount; ++i) sum[i].v[0] += a[k] * row[i][k];
  }
  return sum_lanes(sum);
}

// Computes out[n] = activation(a * b[n]' + bias) for the rows n of b. With `one_bias` the bias is a single
// value.
[[gnu::noinline]] void dot_row(const float* a, int depth, const float* b, std::size_t b_stride, int columns,
                               float* out, const Epilogue& epilogue, bool one_bias) {
  VectorEpilogue vectors(epilogue);
  const float* const splat = one_bias ? std::exchange(vectors.bias, nullptr) : nullptr;
  const auto store_outputs = [&](int n, F32 sum, int count) {
    if (epilogue.accumulate) {
      sum = sum + (count == kLanes ? load(out + n) : load_first(out + n, static_cast<std::size_t>(count)));
    } else if (splat) {
      sum = sum + F32::load_splat(splat);
    }
    store_up_to(out + n, vectors(sum, out + n, n), static_cast<std::size_t>(count));
  };
  int n = 0;
  for (; n + kLanes <= columns; n += kLanes) {
    store_outputs(n, dots<4>(a, b + static_cast<std::size_t>(n) * b_stride, b_stride, depth), kLanes);
  }
  for (; n < columns; ++n)
    store_outputs(n, dots<1>(a, b + static_cast<std::size_t>(n) * b_stride, b_stride, depth), 1);
  activate(out, static_cast<std::size_t>(columns), epilogue.activation, epilogue.alpha);
}

}  // namespace

void multiply_nt_dots(const float* a, std::size_t a_stride, int rows, int depth, const float* b,
                      std::size_t b_stride, int columns, float* c, std::size_t c_stride,
                      const Epilogue& epilogue) {
  for (int r = 0; r < rows; ++r, a += a_stride, c += c_stride)
    dot_row(a, depth, b, b_stride, columns, c, epilogue, false);
}

void multiply_vector(const float* a, std::size_t a_stride, int rows, int depth, const float* b,
                     std::size_t b_stride, float* c, const Epilogue& epilogue) {
  Scratch<float> column(b_stride > 1 ? static_cast<std::size_t>(depth) : 0);
  if (b_stride > 1) {
    for (int k = 0; k < depth; ++k) column.data()[k] = b[static_cast<std::size_t>(k) * b_stride];
    b = column.data();
  }
  const auto groups = static_cast<std::size_t>((rows + kLanes - 1) / kLanes);
  constexpr std::size_t kWork = 2;
  parallel_for(groups, grain_size(static_cast<std::size_t>(depth) * kLanes * kWork),
               [&](std::size_t begin, std::size_t end) {
                 const auto first = begin * kLanes;
                 const int count = std::min(static_cast<int>(end) * kLanes, rows) - static_cast<int>(first);
                 dot_row(b, depth, a + first * a_stride, a_stride, count, c + first, epilogue, true);
                 if (epilogue.post_op) epilogue.post_op->run(first, static_cast<std::size_t>(count));
               });
}

}  // namespace tenure::cpu::gemm
