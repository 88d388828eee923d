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

float largest_of(F32 x) { return std::max(std::max(x[0], x[1]), std::max(x[2], x[3])); }

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
  return largest_of(most);
}

/// exp(x - shift): the difference is rounded as much as its product with log2(e) is.
template <class V>
TENURE_INLINE V exp_of_difference(const V& x, float shift) {
  return exp2_to_one((x - F32(shift)) * simd::kExp.log2_e);
}

struct Passed {
  float sum;
  float largest_of_next;
};

/// Sum of exp(in - shift), each stored to `out` as well if kStore, and the largest of the next row, which
/// comes from memory while the exponentials are computed. Nothing is greater than `shift`.
template <bool kStore>
Passed sum_of_exp(const float* in, float shift, float* out, const float* next, std::size_t n) {
  std::size_t i = 0;
  F32 total = 0.0F;
  F32 most = -simd::kInfinity;
  if (n >= kStep) {
    Wide several = 0.0F;
    for (; i + kStep <= n; i += kStep) {
      const Wide e = exp_of_difference(Wide::load(in + i), shift);
      several = several + e;
      if constexpr (kStore) e.store(out + i);
      most = max(most, reduced(Wide::load(next + i), simd::max));
    }
    total = reduced(several, [](F32 a, F32 b) { return a + b; });
  }
  for (; i < n; i += simd::kLanes) {
    const F32 e = exp_of_difference(load(in + i), shift);
    const std::size_t count = std::min<std::size_t>(n - i, simd::kLanes);
    total = total + (count == simd::kLanes ? e : first_lanes(e, count, 0));
    if constexpr (kStore) store_up_to(out + i, e, count);
    most = max(most, first_lanes(load(next + i), count, -simd::kInfinity));
  }
  return {(total[0] + total[1]) + (total[2] + total[3]), largest_of(most)};
}

struct Rows {
  explicit Rows(const KernelArgs& args)
      : in(args.in[0].data<float>()),
        out(args.out.mutable_data<float>()),
        width(static_cast<std::size_t>(args.out.shape().back())),
        count(args.out.elements() / width) {}
  /// Calls f(in, next, largest, out), which gives the largest of the next row, for each row, on several
  /// threads.
  template <class F>
  void each(F f) const {
    constexpr std::size_t kWork = 20;
    parallel_for(count, grain_of(width * kWork), [&](std::size_t begin, std::size_t end) {
      float most = largest(in + begin * width, width);
      for (std::size_t r = begin; r < end; ++r) {
        const float* row = in + r * width;
        most = f(row, r + 1 < end ? row + width : row, most, out + r * width);
      }
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
  rows.each([&](const float* in, const float* next, float shift, float* out) {
    const Passed passed = sum_of_exp<true>(in, shift, out, next, rows.width);
    const float scale = 1 / passed.sum;
    each_value(out, out, rows.width, [scale](F32 x) { return x * scale; });
    return passed.largest_of_next;
  });
}

void log_softmax(const KernelArgs& args) {
  const Rows rows(args);
  rows.each([&](const float* in, const float* next, float shift, float* out) {
    const Passed passed = sum_of_exp<false>(in, shift, out, next, rows.width);
    const float log_of_sum = std::log(passed.sum);
    each_value(in, out, rows.width, [=](F32 x) { return x - shift - log_of_sum; });
    return passed.largest_of_next;
  });
}

}  // namespace tenure::cpu
