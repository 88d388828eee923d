// Products of one row with weights of few bits, in integers: the weights become int16, and the row is in
// fixed point. A float product would spend most of its instructions on converting the weights.

#include <algorithm>
#include <cmath>

#include "cpu/elementwise/elementwise.h"
#include "cpu/quant/block_weights.h"
#include "cpu/threads/parallel.h"

namespace tenure::cpu {
namespace {

using simd::F32;
using simd::I16;
using simd::I32;

/// int16 lanes of a vector: as many bytes are unpacked together.
constexpr int kGroup = 8;
/// The highest number of products that a lane sums in int32: 2^14 * 255 * 256 is below 2^31.
constexpr int kMaxSummed = 256;
/// Rows of weights that share the loads of the left-hand row.
constexpr int kRowsAtOnce = 2;

/// Computes outputs `row` and, if it is below `end`, the next one. One function, so that the sums of both
/// rows stay in registers through all three loops.
template <int kBits>
[[gnu::noinline]] void multiply_rows(const FixedPointRow& a, const BlockWeights& weights, int row, int end,
                                     float* out) {
  constexpr int kPlanes = 8 / kBits;
  constexpr int kMaxBytes = kMaxSummed * kBits / 8;
  constexpr float kHigh = 1 << FixedPointRow::kLowBits;
  const I16 mask((1 << kBits) - 1);
  F32 sums[kRowsAtOnce];
  I16 zero[kRowsAtOnce];
  const std::uint8_t* from[kRowsAtOnce];
  const float* scales[kRowsAtOnce];
  for (int r = 0; r < kRowsAtOnce; ++r) {
    // An odd row at the end is computed twice.
    const int number = std::min(row + r, end - 1);
    sums[r] = F32(0.0F);
    zero[r] = I16(static_cast<std::int16_t>(weights.zero_point(number, 0)));
    from[r] = weights.packed(number, 0);
    scales[r] = weights.scales(number);
  }
  const bool has_zeros = weights.has_packed_zeros();
  const std::int16_t* high = a.high(0);
  const std::int16_t* low = a.low(0);
  const int blocks = weights.blocks();
  const int bytes = weights.block_bytes();
#pragma GCC unroll 1
  for (int block = 0; block < blocks; ++block) {
    if (has_zeros) {
      for (int r = 0; r < kRowsAtOnce; ++r)
        zero[r] = I16(static_cast<std::int16_t>(weights.zero_point(std::min(row + r, end - 1), block)));
    }
#pragma GCC unroll 1
    for (int left = bytes; left > 0; left -= kMaxBytes) {
      I32 highs[kRowsAtOnce];
      I32 lows[kRowsAtOnce];
      for (int r = 0; r < kRowsAtOnce; ++r) highs[r] = lows[r] = I32(0);
#pragma GCC unroll 1
      for (int at = std::min(left, kMaxBytes); at > 0; at -= kGroup) {
        I16 packed[kRowsAtOnce];
        for (int r = 0; r < kRowsAtOnce; ++r) {
          packed[r] = I16::load(from[r]);
          from[r] += kGroup;
        }
#pragma GCC unroll 4
        for (int plane = 0; plane < kPlanes; ++plane) {
          const I16 x = I16::load(high + plane * kGroup);
          const I16 y = I16::load(low + plane * kGroup);
          for (int r = 0; r < kRowsAtOnce; ++r) {
            I16 weight = packed[r];
            if (plane > 0) weight = weight >> plane * kBits;
            if (plane + 1 < kPlanes) weight = weight & mask;
            weight = weight - zero[r];
            highs[r] = highs[r] + simd::dot_pairs(x, weight);
            lows[r] = lows[r] + simd::dot_pairs(y, weight);
          }
        }
        high += kPlanes * kGroup;
        low += kPlanes * kGroup;
      }
      for (int r = 0; r < kRowsAtOnce; ++r) {
        const F32 sum = simd::madd(simd::to_float(highs[r]), kHigh, simd::to_float(lows[r]));
        sums[r] = simd::madd(sum, F32::load_splat(scales[r] + block), sums[r]);
      }
    }
  }
  for (int r = kRowsAtOnce - 1; r >= 0; --r) {
    const int number = std::min(row + r, end - 1);
    float sum = (sums[r][0] + sums[r][1]) + (sums[r][2] + sums[r][3]);
    if (weights.has_float_zeros()) {
      for (int block = 0; block < blocks; ++block)
        sum -= weights.scale(number, block) * weights.float_zero_point(number, block) * a.block_sum(block);
    }
    out[number] = sum * a.unit();
  }
}

template <int kBits>
void multiply_range(const FixedPointRow& a, const BlockWeights& weights, int row, int end, float* out) {
  for (; row < end; row += kRowsAtOnce) multiply_rows<kBits>(a, weights, row, end, out);
}

}  // namespace

FixedPointRow::FixedPointRow(int padded_depth, int block_size)
    : padded_depth_(padded_depth),
      block_size_(block_size),
      halves_(2 * static_cast<std::size_t>(padded_depth)),
      sums_(static_cast<std::size_t>(padded_depth / block_size)) {}

bool FixedPointRow::fill(const float* values, int depth, int bits) {
  float highest = 0;
  float check = 0;
  for (int k = 0; k < depth; ++k) {
    highest = std::max(highest, std::abs(values[k]));
    check += values[k] * 0;
  }
  if (check != 0) return false;
  constexpr int kBitsAboveUnit = 29;
  // Both the unit and its reciprocal are normal floats.
  constexpr int kMinExponent = -97;
  int exponent = 0;
  std::frexp(highest, &exponent);
  exponent = std::max(exponent, kMinExponent) - kBitsAboveUnit;
  unit_ = std::ldexp(1.0F, exponent);
  const float reciprocal = std::ldexp(1.0F, -exponent);
  const int planes = 8 / bits;
  const int group = kGroup * planes;
  const auto low_half = 1 << (kLowBits - 1);
  std::fill_n(sums_.data(), sums_.size(), 0.0F);
  std::int16_t* high = halves_.data();
  std::int16_t* low = high + padded_depth_;
  for (int k = 0; k < padded_depth_; ++k) {
    const float scaled = k < depth ? values[k] * reciprocal : 0;
    const auto value = static_cast<std::int32_t>(scaled);
    const std::int32_t upper = (value + low_half) >> kLowBits;
    const int in_group = k % group;
    const int to = k - in_group + in_group % planes * kGroup + in_group / planes;
    high[to] = static_cast<std::int16_t>(upper);
    low[to] = static_cast<std::int16_t>(value - (upper << kLowBits));
    sums_[static_cast<std::size_t>(k / block_size_)] += scaled;
  }
  return true;
}

bool can_multiply_row(const BlockWeights& weights) { return weights.block_bytes() % kGroup == 0; }

void multiply_row(const FixedPointRow& a, const BlockWeights& weights, float* out) {
  const auto pairs = static_cast<std::size_t>((weights.rows() + kRowsAtOnce - 1) / kRowsAtOnce);
  const std::size_t work = static_cast<std::size_t>(weights.padded_depth()) * kRowsAtOnce;
  parallel_for(pairs, grain_size(work), [&](std::size_t begin, std::size_t end) {
    const int first = static_cast<int>(begin) * kRowsAtOnce;
    const int last = std::min(static_cast<int>(end) * kRowsAtOnce, weights.rows());
    switch (weights.bits()) {
      case 2: return multiply_range<2>(a, weights, first, last, out);
      case 4: return multiply_range<4>(a, weights, first, last, out);
      default: return multiply_range<8>(a, weights, first, last, out);
    }
  });
}

}  // namespace tenure::cpu
