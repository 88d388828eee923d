#include <algorithm>
#include <cmath>

#include "cpu/elementwise.h"
#include "cpu/kernels.h"
#include "cpu/parallel.h"

namespace tenure::cpu {
namespace {

using simd::F32;

// Vectors that go through an expression at a time.
constexpr int kVectors = 4;
constexpr std::size_t kStep = kVectors * simd::kLanes;
using Wide = simd::Wide<kVectors>;

F32 first_lanes(F32 x, std::size_t count, float others) {
  const simd::Mask counts{simd::RawI32{0, 1, 2, 3} < static_cast<std::int32_t>(count)};
  return select(counts, x, F32(others));
}

F32 reduced(const Wide& x, F32 (*combine)(F32, F32)) {
  return combine(combine(x.v[0], x.v[1]), combine(x.v[2], x.v[3]));
}

float largest(const float* in, std::size_t n) {
  std::size_t i = 0;
  F32 most = -simd::kInfinity;
  if (n >= kStep) {
    Wide several = most;
    for (; i + kStep <= n; i += kStep) several = max(several, Wide::load(in + i));
    most = reduced(several, simd::max);
  }
  for (; i + simd::kLanes <= n; i += simd::kLanes) most = max(most, load(in + i));
  if (i < n) most = max(most, first_lanes(load(in + i), n - i, -simd::kInfinity));
  return std::max(std::max(most[0], most[1]), std::max(most[2], most[3]));
}

/// exp(x - shift): the difference is rounded as much as its product with log2(e) is.
template <class V>
TENURE_INLINE V exp_of_difference(const V& x, float shift) {
  return exp2_to_one((x - F32(shift)) * simd::kExp.log2_e);
}

/// Sum of exp(in - shift), each stored to `out` as well if kStore. Nothing is greater than `shift`.
template <bool kStore>
float sum_of_exp(const float* in, float shift, float* out, std::size_t n) {
  std::size_t i = 0;
  F32 total = 0.0F;
  if (n >= kStep) {
    Wide several = 0.0F;
    for (; i + kStep <= n; i += kStep) {
      const Wide e = exp_of_difference(Wide::load(in + i), shift);
      several = several + e;
      if constexpr (kStore) e.store(out + i);
    }
    total = reduced(several, [](F32 a, F32 b) { return a + b; });
  }
  for (; i < n; i += simd::kLanes) {
    const F32 e = exp_of_difference(load(in + i), shift);
    const std::size_t count = std::min<std::size_t>(n - i, simd::kLanes);
    total = total + (count == simd::kLanes ? e : first_lanes(e, count, 0));
    if constexpr (kStore) store_up_to(out + i, e, count);
  }
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
    each_value(out, out, rows.width, [scale](F32 x) { return x * scale; });
  });
}

void log_softmax(const KernelArgs& args) {
  const Rows rows(args);
  rows.each([&](const float* in, float* out) {
    const float shift = largest(in, rows.width);
    const float log_of_sum = std::log(sum_of_exp<false>(in, shift, out, rows.width));
    each_value(in, out, rows.width, [=](F32 x) { return x - shift - log_of_sum; });
  });
}

}  // namespace tenure::cpu
