#include "cpu/quant/integer_rows.h"

#include <algorithm>

#include "cpu/elementwise/elementwise.h"
#include "cpu/simd/simd_integer.h"
#include "cpu/threads/parallel.h"

namespace tenure::cpu {
namespace {

using simd::F32;
using simd::I16;
using simd::I32;
using simd::kLanes;

constexpr float kHighest = 255;

float min_lane(F32 x) { return std::min(std::min(x[0], x[1]), std::min(x[2], x[3])); }
float max_lane(F32 x) { return std::max(std::max(x[0], x[1]), std::max(x[2], x[3])); }

I32 as_integers(I32 x) { return x; }
I32 as_integers(F32 x) { return simd::to_int(x); }

template <class T>
void convert_integers(const T* from, std::size_t count, std::int16_t* to) {
  constexpr std::size_t kWidth = 2 * kLanes;
  const auto convert = [&](std::size_t i) {
    return simd::narrow(as_integers(load(from + i)), as_integers(load(from + i + kLanes)));
  };
  std::size_t i = 0;
#pragma GCC unroll 1
  for (; i + kWidth <= count; i += kWidth) convert(i).store(to + i);
  if (i == count) return;
  // The last vector overlaps the one before it.
  if (count >= kWidth) return convert(count - kWidth).store(to + count - kWidth);
  T few[kWidth] = {};
  std::int16_t converted[kWidth];
#pragma GCC unroll 1
  for (i = 0; i < count; ++i) few[i] = from[i];
  simd::narrow(as_integers(load(few)), as_integers(load(few + kLanes))).store(converted);
#pragma GCC unroll 1
  for (i = 0; i < count; ++i) to[i] = converted[i];
}

}  // namespace

void convert_to_int16(const std::int32_t* from, std::size_t count, std::int16_t* to) {
  convert_integers(from, count, to);
}
void convert_to_int16(const float* from, std::size_t count, std::int16_t* to) {
  convert_integers(from, count, to);
}

DynamicRange find_range(const float* values, std::size_t count) {
  F32 lows(0.0F);
  F32 highs(0.0F);
  // Becomes NaN if a value is infinite or NaN, and stays 0 otherwise.
  F32 check(0.0F);
  const auto meet = [&](F32 x) {
    lows = simd::min(lows, x);
    highs = simd::max(highs, x);
    check = check + x * F32(0.0F);
  };
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes) meet(load(values + i));
  if (i < count) meet(load_first(values + i, count - i));
  const float low = min_lane(lows);
  const float span = max_lane(highs) - low;
  DynamicRange range;
  if (span > 0) range.scale = span / kHighest;
  range.zero_point = std::clamp(simd::round_even(F32(-low / range.scale))[0], 0.0F, kHighest);
  range.scale += check[0] + check[1] + check[2] + check[3];
  return range;
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
  const F32 high(kHighest - range.zero_point);
  fill_rows(values, [=](F32 x, std::size_t) {
    return simd::to_int(simd::min(simd::max(simd::round_even(x / scale), low), high));
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
