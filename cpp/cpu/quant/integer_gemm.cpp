#include "cpu/quant/integer_gemm.h"

#include <algorithm>

#include "cpu/elementwise/elementwise.h"
#include "cpu/simd/simd_integer.h"
#include "cpu/threads/parallel.h"

namespace tenure::cpu {
namespace {

using simd::I16;
using simd::I32;
using simd::kLanes;

/// MR: rows of a register tile. Ten sums, two vectors of the panel, a pair of the row and a product fit into
/// the 15 registers that V8 uses. With six rows it stores sums in each iteration, and takes 1.25 times as
/// long.
constexpr int kMR = 5;
/// Rows of the tiles that take the place of some of kMR, so that no rows are left over.
constexpr int kLowMR = 4;
constexpr int kVectors = kIntegerNR / kLanes;
/// Bytes of left-hand rows in a block: they and the panels stay in the second-level cache while panel after
/// panel is multiplied with it.
constexpr std::size_t kBlockBytes = std::size_t{1} << 17;

/// Adds the products of a pair of rows of the panel.
template <class Element, int kRows>
void add_pair(I32 (&sum)[kRows][kVectors], const std::int16_t* const (&row)[kRows], int k,
              const Element* panel) {
  const I16 x = I16::load(panel);
  const I16 y = I16::load(panel + kIntegerNR);
#pragma GCC unroll 5
  for (int r = 0; r < kRows; ++r) {
    const I16 pair = I16::load_pair(row[r] + k);
    sum[r][0] = sum[r][0] + simd::dot_pairs(pair, x);
    sum[r][1] = sum[r][1] + simd::dot_pairs(pair, y);
  }
}

/// Computes the sums of kRows rows with one panel. The loop is not unrolled: LLVM would add all products of
/// an iteration to a sum before those of the next sum, which takes more registers than there are.
template <class Element, int kRows, bool kIsAdjacent>
[[gnu::noinline]] void multiply_tile(const std::int16_t* const* rows, const RowPairs& pairs,
                                     const Element* panel, std::int32_t* sums) {
  I32 sum[kRows][kVectors];
  const std::int16_t* base[kRows];
  for (int r = 0; r < kRows; ++r) {
    base[r] = rows[r];
    for (I32& vector : sum[r]) vector = I32(0);
  }
  constexpr int kPairSize = 2 * kIntegerNR;
  const std::int32_t* offset = pairs.offsets;
  const Element* const end = panel + pairs.count * kPairSize;
#pragma GCC unroll 1
  for (int k = 0; panel != end; panel += kPairSize, k += 2)
    add_pair(sum, base, kIsAdjacent ? k : *offset++, panel);
  for (int r = 0; r < kRows; ++r) {
    for (int v = 0; v < kVectors; ++v) store(sums + r * kIntegerNR + v * kLanes, sum[r][v]);
  }
}

/// Computes tiles of kRows rows from `row` on while they fit into the rows before `end`. Returns the first
/// row that is left over.
template <int kRows, class Element>
int multiply_tiles(const IntegerRows& a, int row, int end, const Element* panel, std::int32_t* sums) {
  for (; row + kRows <= end; row += kRows) {
    const std::int16_t* rows[kRows];
    for (int r = 0; r < kRows; ++r) rows[r] = a.row(row + r);
    std::int32_t* const to = sums + sums_size(row);
    a.pairs.offsets ? multiply_tile<Element, kRows, false>(rows, a.pairs, panel, to)
                    : multiply_tile<Element, kRows, true>(rows, a.pairs, panel, to);
  }
  return row;
}

template <class Element>
void multiply_panel(const IntegerRows& a, const Element* panel, std::int32_t* sums) {
  const int tiles = (a.rows + kMR - 1) / kMR;
  // Up to three rows are left over if there are too few for tiles of both heights.
  const int low_rows = tiles * kMR - a.rows <= tiles ? (tiles * kMR - a.rows) * kLowMR : 0;
  int row = multiply_tiles<kMR>(a, 0, a.rows - low_rows, panel, sums);
  row = multiply_tiles<kLowMR>(a, row, a.rows, panel, sums);
  row = multiply_tiles<3>(a, row, a.rows, panel, sums);
  multiply_tiles<1>(a, row, a.rows, panel, sums);
}

/// Applies the epilogue to the sums of rows with four columns, of which `left` exist.
void finish_columns(const std::int32_t* from, int rows, const VectorEpilogue& vectors, std::size_t left,
                    std::size_t stride, std::int32_t* to) {
#pragma GCC unroll 1
  for (int r = 0; r < rows; ++r, from += kIntegerNR, to += stride)
    store_up_to(to, vectors.apply(I32::load(from)), left);
}

/// Applies the epilogue to the sums of rows with all eight columns.
template <I32 (VectorEpilogue::*kApply)(I32) const>
void finish_rows(const std::int32_t* from, int rows, const VectorEpilogue& low, const VectorEpilogue& high,
                 std::size_t stride, std::int32_t* to) {
#pragma GCC unroll 1
  for (int r = 0; r < rows; ++r, from += kIntegerNR, to += stride) {
    store(to, (low.*kApply)(I32::load(from)));
    store(to + kLanes, (high.*kApply)(I32::load(from + kLanes)));
  }
}

/// Applies the epilogue to the sums of rows, and stores `count` columns as bytes.
void finish_bytes(const std::int32_t* from, int rows, const IntegerEpilogue& epilogue, int column, int count,
                  std::size_t stride, std::uint8_t* to) {
  const VectorEpilogue low(epilogue, column);
  // The second half may not exist, and not be readable.
  const VectorEpilogue high(epilogue, count > kLanes ? column + kLanes : column);
  const ByteStore bytes(epilogue);
#pragma GCC unroll 1
  for (int r = 0; r < rows; ++r, from += kIntegerNR, to += stride)
    bytes.store(to, low.requantize(I32::load(from)), high.requantize(I32::load(from + kLanes)), count);
}

/// Subtracts the row sums times the columns' zero points.
void subtract_zeros(std::int32_t* sums, const std::int32_t* row_sums, int rows, I32 zeros) {
  for (int r = 0; r < rows; ++r, sums += kIntegerNR) store(sums, I32::load(sums) - I32(row_sums[r]) * zeros);
}

}  // namespace

void multiply_panel(const IntegerRows& a, const IntegerPanels& b, int number, std::int32_t* to) {
  const std::size_t first = static_cast<std::size_t>(number) * b.panel_size();
  switch (b.element) {
    case PanelElement::kInt8: return multiply_panel(a, static_cast<const std::int8_t*>(b.data) + first, to);
    case PanelElement::kUint8: return multiply_panel(a, static_cast<const std::uint8_t*>(b.data) + first, to);
    case PanelElement::kInt16: return multiply_panel(a, static_cast<const std::int16_t*>(b.data) + first, to);
  }
}

void finish_panel(std::int32_t* sums, int first_row, int rows, int column, int columns,
                  const IntegerEpilogue& epilogue, void* out) {
  const auto stride = static_cast<std::size_t>(columns);
  const std::size_t first = static_cast<std::size_t>(first_row) * stride + static_cast<std::size_t>(column);
  const int count = std::min(kIntegerNR, columns - column);
  if (epilogue.stores_bytes)
    return finish_bytes(sums, rows, epilogue, column, count, stride, static_cast<std::uint8_t*>(out) + first);
  auto* const to = static_cast<std::int32_t*>(out) + first;
  if (epilogue.row_sums) {
    for (int c = 0; c < count; c += kLanes)
      subtract_zeros(sums + c, epilogue.row_sums + first_row, rows,
                     I32::load(epilogue.column_zeros + column + c));
  }
  const VectorEpilogue low(epilogue, column);
  if (count == kIntegerNR) {
    const VectorEpilogue high(epilogue, column + kLanes);
    if (!epilogue.column_scales)
      return finish_rows<&VectorEpilogue::add_bias>(sums, rows, low, high, stride, to);
    if (!epilogue.requantizes) return finish_rows<&VectorEpilogue::scale>(sums, rows, low, high, stride, to);
    return finish_rows<&VectorEpilogue::requantize>(sums, rows, low, high, stride, to);
  }
  finish_columns(sums, rows, low, static_cast<std::size_t>(count), stride, to);
  if (count > kLanes) {
    finish_columns(sums + kLanes, rows, VectorEpilogue(epilogue, column + kLanes),
                   static_cast<std::size_t>(count - kLanes), stride, to + kLanes);
  }
}

namespace {

/// Multiplies the rows [first, last) with the panels [begin, end), a block of rows at a time.
void multiply_range(const IntegerRows& a, int first, int last, int block_rows, const IntegerPanels& b,
                    int begin, int end, const IntegerEpilogue& epilogue, std::int32_t* sums, void* out) {
  for (int row = first; row < last; row += block_rows) {
    const IntegerRows block{a.row(row), std::min(block_rows, last - row), a.stride, nullptr, a.pairs};
    for (int number = begin; number < end; ++number) {
      multiply_panel(block, b, number, sums);
      finish_panel(sums, row, block.rows, number * kIntegerNR, b.columns, epilogue, out);
    }
  }
}

}  // namespace

void multiply_integers(const IntegerRows& a, const IntegerPanels& b, const IntegerEpilogue& epilogue,
                       void* out) {
  const auto depth = static_cast<std::size_t>(b.padded_depth());
  const std::size_t fitting = kBlockBytes / std::max<std::size_t>(depth * sizeof(std::int16_t), 1);
  constexpr std::size_t kMaxBlockRows = 256;
  const auto block_rows = static_cast<int>(std::clamp<std::size_t>(fitting / kMR * kMR, kMR, kMaxBlockRows));
  const auto panels = static_cast<std::size_t>(b.panels());
  const auto tiles = static_cast<std::size_t>((a.rows + kMR - 1) / kMR);
  const std::size_t tile_work = depth * kIntegerNR * kMR / 2;
  const bool splits_rows = tiles > panels;
  const std::size_t count = splits_rows ? tiles : panels;
  const std::size_t grain = grain_size(tile_work * (splits_rows ? panels : tiles));
  const int threads = threads_for(count, grain);
  const std::size_t slot_size = sums_size(block_rows);
  Scratch<std::int32_t> scratch(static_cast<std::size_t>(threads), slot_size);
  parallel_for(count, grain, threads, [&](std::size_t begin, std::size_t end, int slot) {
    std::int32_t* sums = scratch.data() + static_cast<std::size_t>(slot) * slot_size;
    if (splits_rows) {
      const int last = std::min(static_cast<int>(end) * kMR, a.rows);
      multiply_range(a, static_cast<int>(begin) * kMR, last, block_rows, b, 0, b.panels(), epilogue, sums,
                     out);
    } else {
      multiply_range(a, 0, a.rows, block_rows, b, static_cast<int>(begin), static_cast<int>(end), epilogue,
                     sums, out);
    }
  });
}

}  // namespace tenure::cpu
