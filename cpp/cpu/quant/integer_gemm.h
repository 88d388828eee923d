#pragma once

#include "cpu/quant/integer_epilogue.h"
#include "cpu/quant/integer_panels.h"

/// Products of integers: int16 rows times panels of 8 or 16 bits, summed exactly in int32.
namespace tenure::cpu {

/// Positions of the elements of each left-hand row: two adjacent ones at each of `offsets` from its address.
/// All are adjacent if `offsets` is null.
struct RowPairs {
  const std::int32_t* offsets = nullptr;
  int count = 0;
};

/// Left-hand rows of int16. Sums of products wrap around in int32.
struct IntegerRows {
  const std::int16_t* data = nullptr;
  int rows = 0;
  std::size_t stride = 0;
  const std::int16_t* const* pointers = nullptr;  ///< addresses of rows that are not equally far apart
  RowPairs pairs = {};

  const std::int16_t* row(int number) const {
    return pointers ? pointers[number] : data + static_cast<std::size_t>(number) * stride;
  }
};

/// Elements that the sums of rows with a panel take.
constexpr std::size_t sums_size(int rows) { return static_cast<std::size_t>(rows) * kIntegerNR; }

/// Computes the sums of rows with panel number `number`, eight for each row.
void multiply_panel(const IntegerRows& a, const IntegerPanels& b, int number, std::int32_t* sums);

/// Applies an epilogue to the sums of rows from row `first_row` on with the panel whose first column is
/// `column`, and stores them. Changes the sums.
void finish_panel(std::int32_t* sums, int first_row, int rows, int column, int columns,
                  const IntegerEpilogue& epilogue, void* out);

/// Computes out = rows * panels, on several threads. The rows of `out`, int32 or
/// float32, are contiguous.
void multiply_integers(const IntegerRows& a, const IntegerPanels& b, const IntegerEpilogue& epilogue,
                       void* out);

}  // namespace tenure::cpu
