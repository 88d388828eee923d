#pragma once

#include "cpu/elementwise/elementwise.h"
#include "cpu/simd/simd_integer.h"

/// The epilogue of integer products.
namespace tenure::cpu {

/// Operations on the sums of a product before they are stored. All addresses of columns are readable 16 bytes
/// past the end.
struct IntegerEpilogue {
  /// Sum of each left-hand row, of which a column's zero point times is subtracted. Null for none.
  const std::int32_t* row_sums = nullptr;
  const std::int32_t* column_zeros = nullptr;
  /// Scale of each column. The output is float32 if there are some, otherwise int32.
  const float* column_scales = nullptr;
  const float* bias = nullptr;  ///< one per column; null for none
  /// Added to the sums of each column, before they are scaled. Null for none.
  const std::int32_t* integer_bias = nullptr;
  /// True if scaled sums are rounded, halves to even numbers, and clamped to `low` and `high`.
  bool requantizes = false;
  float low = 0;
  float high = 0;
  /// True if requantized results are stored as bytes, their distances from `low`.
  bool stores_bytes = false;
};

/// Stores requantized results of eight columns as bytes.
class ByteStore {
 public:
  explicit ByteStore(const IntegerEpilogue& epilogue)
      : base_(simd::bits(simd::F32(simd::kIntegerBits + epilogue.low))) {}

  /// Stores the first `count` of eight results, bits of float32.
  void store(std::uint8_t* to, simd::I32 low, simd::I32 high, int count) const {
    const simd::I16 shorts = simd::narrow(get_distance(low), get_distance(high));
    const simd::RawU8 bytes = simd::narrow_to_bytes(shorts, shorts);
    if (count >= 2 * simd::kLanes) return simd::store_half<0>(to, bytes);
    for (int i = 0; i < count; ++i) to[i] = bytes[i];
  }

 private:
  simd::I32 get_distance(simd::I32 result) const {
    return simd::I32(simd::bits(simd::from_bits(result.v) + simd::F32(simd::kIntegerBits))) - base_;
  }

  simd::I32 base_;
};

/// The operations on one vector of columns.
class VectorEpilogue {
 public:
  VectorEpilogue(const IntegerEpilogue& epilogue, int column)
      : bias_sums_(epilogue.integer_bias ? simd::I32::load(epilogue.integer_bias + column) : simd::I32(0)),
        scales_(epilogue.column_scales ? load(epilogue.column_scales + column) : simd::F32(0.0F)),
        bias_(epilogue.bias ? load(epilogue.bias + column) : simd::F32(0.0F)),
        low_(epilogue.low),
        high_(epilogue.high),
        scales_sums_(epilogue.column_scales != nullptr),
        requantizes_(epilogue.requantizes) {}

  /// Returns the results for sums, as int32 or the bits of float32.
  simd::I32 apply(simd::I32 sums) const {
    if (!scales_sums_) return add_bias(sums);
    return requantizes_ ? requantize(sums) : scale(sums);
  }
  /// Returns what apply() does for an epilogue that does not scale.
  simd::I32 add_bias(simd::I32 sums) const { return sums + bias_sums_; }
  /// Returns what apply() does for an epilogue that scales.
  simd::I32 scale(simd::I32 sums) const { return simd::I32(simd::bits(get_scaled(sums))); }
  /// Returns what apply() does for an epilogue that scales and requantizes.
  simd::I32 requantize(simd::I32 sums) const {
    return simd::I32(simd::bits(simd::min(simd::max(simd::round_even(get_scaled(sums)), low_), high_)));
  }

 private:
  simd::F32 get_scaled(simd::I32 sums) const { return simd::to_float(add_bias(sums)) * scales_ + bias_; }

  simd::I32 bias_sums_;
  simd::F32 scales_;
  simd::F32 bias_;
  simd::F32 low_;
  simd::F32 high_;
  bool scales_sums_;
  bool requantizes_;
};

}  // namespace tenure::cpu
