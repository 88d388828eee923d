#include "cpu/quant/integer_gemm.h"

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

/// MR: rows of a register tile. Eight sums, two vectors of the panel and a pair of the row fit into
/// registers.
constexpr int kMR = 4;
constexpr int kVectors = kIntegerNR / kLanes;
/// Bytes of left-hand rows in a block: they and the panels stay in the second-level cache while panel after
/// panel is multiplied with it.
constexpr std::size_t kBlockBytes = std::size_t{1} << 17;

/// Computes the sums of kRows rows with one panel.
template <class Element, int kRows>
[[gnu::noinline]] void multiply_tile(const std::int16_t* a, const Element* panel, int padded_depth,
                                     std::int32_t* to, std::size_t stride) {
  I32 sum[kRows][kVectors];
  const std::int16_t* row[kRows];
  for (int r = 0; r < kRows; ++r) {
    row[r] = a + static_cast<std::size_t>(r) * static_cast<std::size_t>(padded_depth);
    for (I32& vector : sum[r]) vector = I32(0);
  }
#pragma GCC unroll 1
  for (int k = 0; k < padded_depth; k += kDepthUnit) {
#pragma GCC unroll 4
    for (int i = 0; i < kDepthUnit; i += 2, panel += 2 * kIntegerNR) {
      const I16 x = I16::load(panel);
      const I16 y = I16::load(panel + kIntegerNR);
#pragma GCC unroll 4
      for (int r = 0; r < kRows; ++r) {
        const I16 pair = I16::load_pair(row[r] + i);
        sum[r][0] = sum[r][0] + simd::dot_pairs(pair, x);
        sum[r][1] = sum[r][1] + simd::dot_pairs(pair, y);
      }
    }
#pragma GCC unroll 4
    for (int r = 0; r < kRows; ++r) row[r] += kDepthUnit;
  }
  for (int r = 0; r < kRows; ++r) {
    for (int v = 0; v < kVectors; ++v)
      store(to + static_cast<std::size_t>(r) * stride + v * kLanes, sum[r][v]);
  }
}

template <class Element>
void multiply_panel(const IntegerRows& a, const Element* panel, int padded_depth, std::int32_t* to,
                    std::size_t stride) {
  int row = 0;
  const auto at = [&](int r) {
    return a.data + static_cast<std::size_t>(r) * static_cast<std::size_t>(padded_depth);
  };
  for (; row + kMR <= a.rows; row += kMR, to += kMR * stride)
    multiply_tile<Element, kMR>(at(row), panel, padded_depth, to, stride);
  for (; row < a.rows; ++row, to += stride)
    multiply_tile<Element, 1>(at(row), panel, padded_depth, to, stride);
}

/// Computes the sums of up to a panel's columns.
void multiply_panel(const IntegerRows& a, const IntegerPanels& b, int number, std::int32_t* to,
                    std::size_t stride) {
  const std::size_t first = static_cast<std::size_t>(number) * b.panel_size();
  switch (b.element) {
    case PanelElement::kInt8:
      return multiply_panel(a, static_cast<const std::int8_t*>(b.data) + first, b.padded_depth(), to, stride);
    case PanelElement::kUint8:
      return multiply_panel(a, static_cast<const std::uint8_t*>(b.data) + first, b.padded_depth(), to,
                            stride);
    case PanelElement::kInt16:
      return multiply_panel(a, static_cast<const std::int16_t*>(b.data) + first, b.padded_depth(), to,
                            stride);
  }
}

/// The operations on one vector of columns.
struct VectorEpilogue {
  VectorEpilogue(const IntegerEpilogue& epilogue, int column)
      : integer_bias(epilogue.integer_bias ? I32::load(epilogue.integer_bias + column) : I32(0)),
        zeros(epilogue.row_sums ? I32::load(epilogue.column_zeros + column) : I32(0)),
        scales(epilogue.column_scales ? load(epilogue.column_scales + column) : F32(0.0F)),
        bias(epilogue.bias ? load(epilogue.bias + column) : F32(0.0F)) {}

  I32 integer_bias;
  I32 zeros;
  F32 scales;
  F32 bias;
};

/// Applies the epilogue to the sums of `rows` rows with a panel, and stores them.
[[gnu::noinline]] void finish_panel(const std::int32_t* sums, int first_row, int rows, int column,
                                    int columns, const IntegerEpilogue& epilogue, std::int32_t* out) {
  const std::int32_t* const row_sums = epilogue.row_sums ? epilogue.row_sums + first_row : nullptr;
  const F32 low(epilogue.low);
  const F32 high(epilogue.high);
  const int count = std::min(kIntegerNR, columns - column);
  const auto stride = static_cast<std::size_t>(columns);
  for (int c = 0; c < count; c += kLanes) {
    const VectorEpilogue vectors(epilogue, column + c);
    const auto left = static_cast<std::size_t>(count - c);
    std::int32_t* to = out + static_cast<std::size_t>(first_row) * stride + column + c;
    const std::int32_t* from = sums + c;
#pragma GCC unroll 1
    for (int r = 0; r < rows; ++r, from += kIntegerNR, to += stride) {
      I32 sum = I32::load(from) + vectors.integer_bias;
      if (row_sums) sum = sum - I32(row_sums[r]) * vectors.zeros;
      if (!epilogue.column_scales) {
        store_up_to(to, sum, left);
        continue;
      }
      F32 scaled = simd::to_float(sum) * vectors.scales + vectors.bias;
      if (epilogue.requantizes) scaled = simd::min(simd::max(simd::round_even(scaled), low), high);
      // The bits of a float.
      store_up_to(to, I32(simd::bits(scaled)), left);
    }
  }
}

}  // namespace

void multiply_block(const IntegerRows& a, int first_row, const IntegerPanels& b, int begin, int end,
                    const IntegerEpilogue& epilogue, std::int32_t* sums, void* out) {
  for (int number = begin; number < end; ++number) {
    multiply_panel(a, b, number, sums, kIntegerNR);
    finish_panel(sums, first_row, a.rows, number * kIntegerNR, b.columns, epilogue,
                 static_cast<std::int32_t*>(out));
  }
}

namespace {

/// Multiplies the rows [first, last) with the panels [begin, end), a block of rows at a time.
void multiply_range(const IntegerRows& a, int first, int last, int block_rows, const IntegerPanels& b,
                    int begin, int end, const IntegerEpilogue& epilogue, std::int32_t* sums, void* out) {
  for (int row = first; row < last; row += block_rows) {
    const auto at = static_cast<std::size_t>(row) * static_cast<std::size_t>(b.padded_depth());
    multiply_block({a.data + at, std::min(block_rows, last - row)}, row, b, begin, end, epilogue, sums, out);
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
