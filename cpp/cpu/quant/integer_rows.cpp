#include "cpu/quant/integer_rows.h"

#include <algorithm>

#include "cpu/elementwise/elementwise.h"
#include "cpu/simd/simd_integer.h"
#include "cpu/simd/simd_wide.h"
#include "cpu/threads/parallel.h"

namespace tenure::cpu {
namespace {

using simd::F32;
using simd::I16;
using simd::I32;
using simd::kIntegerBits;
using simd::kLanes;

constexpr float kMaxUint8 = 255;

float min_lane(F32 x) { return std::min(std::min(x[0], x[1]), std::min(x[2], x[3])); }
float max_lane(F32 x) { return std::max(std::max(x[0], x[1]), std::max(x[2], x[3])); }

/// Returns integers of 16 bits minus `low`. Larger ones stay larger than int16, which saturating conversions
/// of floats to int32 would take three times as many instructions for.
I32 subtract_low(I32 x, I32 low) { return x - low; }
I32 subtract_low(F32 x, I32 low) {
  const F32 lowest(std::numeric_limits<std::int16_t>::lowest());
  return I32(simd::bits(simd::max(x, lowest) + F32(kIntegerBits))) -
         (I32(simd::bits(F32(kIntegerBits))) + low);
}

/// Calls convert(from, to) for each `kWidth` elements. The last ones overlap those before.
template <std::size_t kWidth, class From, class To, class Convert>
void convert_vectors(const From* from, std::size_t count, To* to, const Convert& convert) {
  std::size_t i = 0;
#pragma GCC unroll 1
  for (; i + kWidth <= count; i += kWidth) convert(from + i, to + i);
  if (i == count) return;
  if (count >= kWidth) return convert(from + count - kWidth, to + count - kWidth);
  From few[kWidth] = {};
  To converted[kWidth];
#pragma GCC unroll 1
  for (i = 0; i < count; ++i) few[i] = from[i];
  convert(few, converted);
#pragma GCC unroll 1
  for (i = 0; i < count; ++i) to[i] = converted[i];
}

constexpr std::size_t kShorts = 2 * kLanes;

/// Returns eight integers minus `low` as int16.
template <class T>
I16 load_shorts(const T* from, I32 low) {
  return simd::narrow(subtract_low(load(from), low), subtract_low(load(from + kLanes), low));
}

template <class T>
void convert_shorts(const T* from, std::size_t count, std::int16_t* to) {
  convert_vectors<kShorts>(from, count, to, [](const T* values, std::int16_t* shorts) {
    load_shorts(values, I32(0)).store(shorts);
  });
}

template <class T>
void convert_bytes(const T* from, std::size_t count, std::int32_t low, std::uint8_t* to) {
  convert_vectors<2 * kShorts>(from, count, to, [low = I32(low)](const T* values, std::uint8_t* bytes) {
    simd::store_bytes(bytes, load_shorts(values, low), load_shorts(values + kShorts, low));
  });
}

std::int32_t to_integer(float x) { return I32(x)[0]; }
std::int32_t to_integer(std::int32_t x) { return x; }

template <class V, class T>
IntegerRange find_range_of(const T* values, std::size_t count) {
  // Several vectors hide the latency of min and max.
  constexpr std::size_t kVectors = 4;
  V lows[kVectors] = {T(0), T(0), T(0), T(0)};
  V highs[kVectors] = {T(0), T(0), T(0), T(0)};
  std::size_t i = 0;
#pragma GCC unroll 1
  for (; i + kVectors * kLanes <= count; i += kVectors * kLanes) {
#pragma GCC unroll 4
    for (std::size_t v = 0; v < kVectors; ++v) {
      const V x = load(values + i + v * kLanes);
      lows[v] = simd::min(x, lows[v]);
      highs[v] = simd::max(x, highs[v]);
    }
  }
  T low = 0;
  T high = 0;
#pragma GCC unroll 1
  for (std::size_t v = 0; v < kVectors; ++v) {
    for (int lane = 0; lane < kLanes; ++lane) {
      low = std::min(low, lows[v][lane]);
      high = std::max(high, highs[v][lane]);
    }
  }
#pragma GCC unroll 1
  for (; i < count; ++i) {
    low = std::min(low, values[i]);
    high = std::max(high, values[i]);
  }
  return {to_integer(low), to_integer(high)};
}

/// The lowest and the highest of some floats and 0, in the lanes of V, which is F32 or Wide.
template <class V>
struct FloatRange {
  V low = V(0.0F);
  V high = V(0.0F);
  V non_finite = V(0.0F);  ///< NaN if one is infinite or NaN, otherwise 0

  TENURE_INLINE void include(const V& x) {
    low = min(low, x);
    high = max(high, x);
    non_finite = madd(x, F32(0.0F), non_finite);
  }
};

}  // namespace

void convert_to_int16(const std::int32_t* from, std::size_t count, std::int16_t* to) {
  convert_shorts(from, count, to);
}
void convert_to_int16(const float* from, std::size_t count, std::int16_t* to) {
  convert_shorts(from, count, to);
}
void convert_to_int16(const std::uint8_t* from, std::size_t count, std::int32_t low, std::int16_t* to) {
  convert_vectors<kShorts>(
      from, count, to,
      [zero = I16(static_cast<std::int16_t>(-low))](const std::uint8_t* bytes, std::int16_t* shorts) {
        (I16::load(bytes) - zero).store(shorts);
      });
}
void convert_to_bytes(const std::int32_t* from, std::size_t count, std::int32_t low, std::uint8_t* to) {
  convert_bytes(from, count, low, to);
}
void convert_to_bytes(const float* from, std::size_t count, std::int32_t low, std::uint8_t* to) {
  convert_bytes(from, count, low, to);
}
IntegerRange find_integer_range(const std::int32_t* values, std::size_t count) {
  return find_range_of<I32>(values, count);
}
IntegerRange find_integer_range(const float* values, std::size_t count) {
  return find_range_of<F32>(values, count);
}

DynamicRange find_range(const float* values, std::size_t count) {
  constexpr int kVectors = 4;
  FloatRange<simd::Wide<kVectors>> wide;
  std::size_t i = 0;
  for (; i + kVectors * kLanes <= count; i += kVectors * kLanes)
    wide.include(simd::Wide<kVectors>::load(values + i));
  FloatRange<F32> range;
  for (int v = 0; v < kVectors; ++v) {
    range.include(wide.low.v[v]);
    range.include(wide.high.v[v]);
    range.non_finite = range.non_finite + wide.non_finite.v[v];
  }
  for (; i + kLanes <= count; i += kLanes) range.include(load(values + i));
  if (i < count) range.include(load_first(values + i, count - i));
  const float low = min_lane(range.low);
  const float span = max_lane(range.high) - low;
  DynamicRange result;
  if (span > 0) result.scale = span / kMaxUint8;
  result.zero_point = std::clamp(simd::round_even(F32(-low / result.scale))[0], 0.0F, kMaxUint8);
  for (int lane = 0; lane < kLanes; ++lane) result.scale += range.non_finite[lane];
  return result;
}

QuantizedRows::QuantizedRows(int rows, const IntegerPanels& panels)
    : rows_(rows),
      depth_(panels.depth),
      padded_depth_(panels.padded_depth()),
      values_(static_cast<std::size_t>(rows), static_cast<std::size_t>(padded_depth_)),
      sums_(static_cast<std::size_t>(rows)) {}

template <class T, class Convert>
void QuantizedRows::fill_rows(const T* values, const Convert& convert) {
  constexpr std::size_t kWork = 8;
  parallel_for(static_cast<std::size_t>(rows_), grain_size(static_cast<std::size_t>(depth_) * kWork),
               [&](std::size_t begin, std::size_t end) {
                 for (std::size_t r = begin; r < end; ++r) {
                   const T* from = values + r * static_cast<std::size_t>(depth_);
                   std::int16_t* to = values_.data() + r * static_cast<std::size_t>(padded_depth_);
                   I32 sum(0);
                   int k = 0;
                   for (; k + kDepthUnit <= depth_; k += kDepthUnit) {
                     const I16 x =
                         simd::narrow(convert(load(from + k), r), convert(load(from + k + kLanes), r));
                     x.store(to + k);
                     sum = sum + simd::dot_pairs(x, I16(1));
                   }
                   if (k < depth_) {
                     T rest[kDepthUnit] = {};
                     std::int16_t converted[kDepthUnit];
                     std::copy_n(from + k, depth_ - k, rest);
                     simd::narrow(convert(load(rest), r), convert(load(rest + kLanes), r)).store(converted);
                     std::fill(converted + (depth_ - k), converted + kDepthUnit, std::int16_t{0});
                     std::copy_n(converted, kDepthUnit, to + k);
                     sum = sum + simd::dot_pairs(I16::load(converted), I16(1));
                   }
                   sums_.data()[r] = simd::sum_lanes(sum);
                 }
               });
}

void QuantizedRows::fill(const std::int32_t* values, const std::int32_t* zero_points,
                         std::size_t zero_stride) {
  fill_rows(values,
            [=](I32 x, std::size_t r) { return zero_points ? x - I32(zero_points[r * zero_stride]) : x; });
}

void QuantizedRows::fill(const float* values, const DynamicRange& range) {
  const F32 scale(range.scale);
  const F32 low(-range.zero_point);
  const F32 high(kMaxUint8 - range.zero_point);
  fill_rows(values, [=](F32 x, std::size_t) {
    // The addition rounds to even, and the bounds are integers.
    const F32 sum = simd::min(simd::max(x / scale, low), high) + F32(kIntegerBits);
    return I32(simd::bits(sum)) - I32(simd::bits(F32(kIntegerBits)));
  });
}

template <class T>
ColumnValues<T>::ColumnValues(const Tensor& x, int columns) : data_(x.data<T>()) {
  if (x.elements() != 1 || columns == 1) return;
  repeated_ = Scratch<T>(static_cast<std::size_t>(columns) + Storage::kSlack / sizeof(T));
  std::fill_n(repeated_.data(), repeated_.size(), *data_);
  data_ = repeated_.data();
}

template class ColumnValues<float>;
template class ColumnValues<std::int32_t>;

}  // namespace tenure::cpu
