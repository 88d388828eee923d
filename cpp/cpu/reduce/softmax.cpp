#include <algorithm>
#include <cmath>

#include "cpu/elementwise/elementwise.h"
#include "cpu/kernels.h"
#include "cpu/threads/parallel.h"

namespace tenure::cpu {
namespace {

using simd::F32;

// Vectors per iteration of the exponential: one with fused multiply-add, because its constants, a power and
// the sum take all registers. Without it there are more temporary values anyway, and each constant is read
// once for several vectors.
constexpr int kVectors = simd::kAssumeFma ? 1 : 4;
constexpr std::size_t kStep = kVectors * simd::kLanes;
using Wide = simd::Wide<kVectors>;

F32 first_lanes(F32 x, std::size_t count, float others) {
  const simd::Mask counts{simd::RawI32{0, 1, 2, 3} < static_cast<std::int32_t>(count)};
  return select(counts, x, F32(others));
}

float horizontal_max(F32 x) { return std::max(std::max(x[0], x[1]), std::max(x[2], x[3])); }

float largest(const float* in, std::size_t n) {
  std::size_t i = 0;
  F32 most = -simd::kInfinity;
  for (; i + simd::kLanes <= n; i += simd::kLanes) most = max(most, load(in + i));
  if (i < n) most = max(most, first_lanes(load(in + i), n - i, -simd::kInfinity));
  return horizontal_max(most);
}

/// Computes (x - shift) * log2(e). The difference is rounded as much as its product is.
struct PowerOfDifference {
  template <class V>
  TENURE_INLINE V operator()(const V& x) const {
    return (x - shift) * log2_e;
  }
  F32 shift;
  F32 log2_e = simd::kExp.log2_e;
};

/// Computes (x - shift) * log2(e) as one fused multiply-add. The rounding of shift * log2(e) is common to all
/// results, and cancels when softmax divides by their sum. For shifts up to kNear only, because a machine
/// without the instruction rounds the product of x, too. A build without it gains nothing.
struct PowerOfSum {
  static constexpr float kNear = 64.0F;

  explicit PowerOfSum(float shift) : minus_shift(F32(-shift) * log2_e) {}
  template <class V>
  TENURE_INLINE V operator()(const V& x) const {
    return madd(x, log2_e, minus_shift);
  }
  F32 log2_e = simd::kExp.log2_e;
  F32 minus_shift;
};

struct RowResult {
  float sum;
  float largest_of_next;
};

/// Returns the sum of 2^raise(in), each power stored to `out` if kStore, and the largest value of the next
/// row, which is loaded from memory while the exponentials are computed. No power is greater than 1. Not
/// inlined, so that it has all registers.
template <bool kStore, class Power>
[[gnu::noinline]] RowResult sum_of_powers(const float* in, Power raise, float* out, const float* next,
                                          std::size_t n) {
  const simd::Exp2Constants constants = simd::kExp2;
  std::size_t i = 0;
  Wide totals = 0.0F;
  F32 most = -simd::kInfinity;
  for (; i + kStep <= n; i += kStep) {
    const Wide e = exp2_nonpositive(raise(Wide::load(in + i)), constants);
    totals = totals + e;
    if constexpr (kStore) e.store(out + i);
    const Wide beside = Wide::load(next + i);
    for (const F32 x : beside.v) most = max(most, x);
  }
  F32 total = totals.v[0];
  for (int v = 1; v < kVectors; ++v) total = total + totals.v[v];
  for (; i < n; i += simd::kLanes) {
    const F32 e = exp2_nonpositive(raise(load(in + i)), constants);
    const std::size_t count = std::min<std::size_t>(n - i, simd::kLanes);
    total = total + first_lanes(e, count, 0);
    if constexpr (kStore) store_up_to(out + i, e, count);
    most = max(most, first_lanes(load(next + i), count, -simd::kInfinity));
  }
  return {(total[0] + total[1]) + (total[2] + total[3]), horizontal_max(most)};
}

struct RowLoop {
  explicit RowLoop(const KernelArgs& args)
      : in(args.in[0].data<float>()),
        out(args.out.mutable_data<float>()),
        width(static_cast<std::size_t>(args.out.shape().back())),
        count(args.out.elements() / width) {}
  /// Calls f(in, next, largest, out) for each row, on several threads. f returns the largest value of the
  /// next row.
  template <class F>
  void each(F f) const {
    constexpr std::size_t kWork = 20;
    parallel_for(count, grain_size(width * kWork), [&](std::size_t begin, std::size_t end) {
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
  const RowLoop rows(args);
  rows.each([&](const float* in, const float* next, float shift, float* out) {
    const bool as_sum = simd::kAssumeFma && std::abs(shift) <= PowerOfSum::kNear;
    const RowResult passed = as_sum
                                 ? sum_of_powers<true>(in, PowerOfSum(shift), out, next, rows.width)
                                 : sum_of_powers<true>(in, PowerOfDifference{shift}, out, next, rows.width);
    const float scale = 1 / passed.sum;
    map(out, out, rows.width, [scale](F32 x) { return x * scale; });
    return passed.largest_of_next;
  });
}

void log_softmax(const KernelArgs& args) {
  const RowLoop rows(args);
  rows.each([&](const float* in, const float* next, float shift, float* out) {
    const RowResult passed = sum_of_powers<false>(in, PowerOfDifference{shift}, out, next, rows.width);
    const float log_of_sum = std::log(passed.sum);
    map(in, out, rows.width, [=](F32 x) { return x - shift - log_of_sum; });
    return passed.largest_of_next;
  });
}

}  // namespace tenure::cpu
