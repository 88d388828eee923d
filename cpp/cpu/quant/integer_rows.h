#pragma once

#include "cpu/quant/integer_gemm.h"
#include "cpu/threads/scratch.h"

namespace tenure::cpu {

/// Numbers that quantize floats to 0..255 by their lowest and highest: real = scale * (quantized -
/// zero_point). As in ONNX's DynamicQuantizeLinear.
struct DynamicRange {
  float scale = 1;
  float zero_point = 0;
};
/// Returns the range of `count` values. The scale is NaN if one is infinite or NaN.
DynamicRange find_range(const float* values, std::size_t count);

/// Rows of int16 for a product: integers minus their zero points.
class QuantizedRows {
 public:
  /// Rows of `depth` elements, to be multiplied with `panels`.
  QuantizedRows(int rows, const IntegerPanels& panels);

  /// Fills in int32 [rows, depth], minus zero_points[r * zero_stride].
  void fill(const std::int32_t* values, const std::int32_t* zero_points, std::size_t zero_stride);
  /// Fills in quantized floats [rows, depth], minus their zero point.
  void fill(const float* values, const DynamicRange& range);

  IntegerRows rows() const {
    return {values_.data(),
            rows_,
            static_cast<std::size_t>(padded_depth_),
            nullptr,
            {nullptr, padded_depth_ / 2}};
  }
  /// Returns the sum of each row.
  const std::int32_t* sums() const { return sums_.data(); }

 private:
  template <class T, class Convert>
  void fill_rows(const T* values, const Convert& convert);

  int rows_;
  int depth_;
  int padded_depth_;
  Scratch<std::int16_t> values_;
  Scratch<std::int32_t> sums_;
};

/// Converts `count` integers, int32 or float32, to int16. Saturates those that do not fit.
void convert_to_int16(const std::int32_t* from, std::size_t count, std::int16_t* to);
void convert_to_int16(const float* from, std::size_t count, std::int16_t* to);
/// Converts bytes that are distances from `low`.
void convert_to_int16(const std::uint8_t* from, std::size_t count, std::int32_t low, std::int16_t* to);
/// Converts integers from `low` to low + 255 to their distance from `low`.
void convert_to_bytes(const std::int32_t* from, std::size_t count, std::int32_t low, std::uint8_t* to);
void convert_to_bytes(const float* from, std::size_t count, std::int32_t low, std::uint8_t* to);

/// The lowest and the highest of some integers and 0.
struct IntegerRange {
  std::int32_t low = 0;
  std::int32_t high = 0;
};
/// Returns the range of `count` integers, int32 or float32. It is int32's for floats that do not fit int32.
IntegerRange find_integer_range(const std::int32_t* values, std::size_t count);
IntegerRange find_integer_range(const float* values, std::size_t count);

/// One value for each column, readable 16 bytes past the end: those of a tensor, or a scalar repeated.
template <class T>
class ColumnValues {
 public:
  ColumnValues(const Tensor& x, int columns);
  const T* data() const { return data_; }

 private:
  const T* data_;
  Scratch<T> repeated_;
};

}  // namespace tenure::cpu
