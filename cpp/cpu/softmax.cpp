#include <algorithm>
#include <cmath>

#include "cpu/elementwise.h"
#include "cpu/kernels.h"
#include "cpu/parallel.h"

namespace tenure::cpu {
namespace {

using simd::F32;

/// Calls f(i, lanes that count) for each four of n values.
template <class F>
void each_four(std::size_t n, F f) {
  std::size_t i = 0;
  for (; i + simd::kLanes <= n; i += simd::kLanes) f(i, simd::kLanes);
  if (i < n) f(i, static_cast<int>(n - i));
}

F32 first_lanes(F32 x, int count, float others) {
  if (count == simd::kLanes) return x;
  const simd::Mask counts{simd::RawI32{0, 1, 2, 3} < count};
  return select(counts, x, F32(others));
}

void put(float* out, F32 x, int count) {
  if (count == simd::kLanes) {
    x.store(out);
  } else {
    store_first(out, x, static_cast<std::size_t>(count));
  }
}

float largest(const float* in, std::size_t n) {
  // Four maxima at once: each waits for its own last result only.
  constexpr std::size_t kStep = 4 * simd::kLanes;
  F32 most[4] = {-simd::kInfinity, -simd::kInfinity, -simd::kInfinity, -simd::kInfinity};
  std::size_t i = 0;
  for (; i + kStep <= n; i += kStep) {
    for (std::size_t k = 0; k < 4; ++k) most[k] = max(most[k], load(in + i + k * simd::kLanes));
  }
  each_four(n - i, [&](std::size_t j, int count) {
    most[0] = max(most[0], first_lanes(load(in + i + j), count, -simd::kInfinity));
  });
  const F32 m = max(max(most[0], most[1]), max(most[2], most[3]));
  return std::max(std::max(m[0], m[1]), std::max(m[2], m[3]));
}

/// Sum of exp(in - shift), each stored to `out` as well if kStore.
template <bool kStore>
float sum_of_exp(const float* in, float shift, float* out, std::size_t n) {
  F32 total = 0.0F;
  each_four(n, [&](std::size_t i, int count) {
    const F32 e = exp(load(in + i) - shift);
    total = total + first_lanes(e, count, 0);
    if constexpr (kStore) put(out + i, e, count);
  });
  return (total[0] + total[1]) + (total[2] + total[3]);
}

struct Rows {
  explicit Rows(const KernelArgs& args)
      : in(args.in[0].data<float>()),
        out(args.out.mutable_data<float>()),
        width(static_cast<std::size_t>(args.out.shape().back())),
        count(args.out.elements() / width) {}
  /// Calls f(in, out) for each row, on several threads.
  template <class F>
  void each(F f) const {
    constexpr std::size_t kWork = 20;
    parallel_for(count, grain_of(width * kWork), [&](std::size_t begin, std::size_t end) {
      for (std::size_t r = begin; r < end; ++r) f(in + r * width, out + r * width);
    });
  }

  const float* in;
  float* out;
  std::size_t width;
  std::size_t count;
};

}  // namespace

void softmax(const KernelArgs& args) {
  const Rows rows(args);
  rows.each([&](const float* in, float* out) {
    const float scale = 1 / sum_of_exp<true>(in, largest(in, rows.width), out, rows.width);
    each_four(rows.width, [&](std::size_t i, int count) { put(out + i, load(out + i) * scale, count); });
  });
}

void log_softmax(const KernelArgs& args) {
  const Rows rows(args);
  rows.each([&](const float* in, float* out) {
    const float shift = largest(in, rows.width);
    const float log_of_sum = std::log(sum_of_exp<false>(in, shift, out, rows.width));
    each_four(rows.width,
              [&](std::size_t i, int count) { put(out + i, load(in + i) - shift - log_of_sum, count); });
  });
}

}  // namespace tenure::cpu
