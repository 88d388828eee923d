#pragma once

#include "cpu/quant/integer_panels.h"

/// Products of integers: int16 rows times panels of 8 or 16 bits, summed exactly in int32.
namespace tenure::cpu {

/// Left-hand rows of int16 [rows, padded depth], the padding zero. Sums of products wrap around in int32.
struct IntegerRows {
  const std::int16_t* data = nullptr;
  int rows = 0;
};

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
};

/// Rows of sums that multiply_block() needs memory for.
constexpr std::size_t sums_size(int rows) { return static_cast<std::size_t>(rows) * kIntegerNR; }

/// Computes rows of out = rows * panels from row `first_row` on, with the panels [begin, end), on the calling
/// thread. `sums` has sums_size() elements for the rows.
void multiply_block(const IntegerRows& a, int first_row, const IntegerPanels& b, int begin, int end,
                    const IntegerEpilogue& epilogue, std::int32_t* sums, void* out);

/// Computes out = rows * panels, on several threads. The rows of `out`, int32 or float32, are contiguous.
void multiply_integers(const IntegerRows& a, const IntegerPanels& b, const IntegerEpilogue& epilogue,
                       void* out);

}  // namespace tenure::cpu
