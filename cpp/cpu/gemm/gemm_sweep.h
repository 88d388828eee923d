#pragma once

#include <cstddef>
#include <cstdint>

#include "cpu/gemm/gemm.h"
#include "cpu/simd/simd.h"

/// What gemm.cpp cuts a product into: a slice of the depth for a block of rows, or streams for few rows.
namespace tenure::cpu::gemm {

/// Engines give WebAssembly fifteen or sixteen registers. Where a product is added in one instruction, tiles
/// of six rows by two vectors take fifteen, and multiply as fast as a processor can: their twelve sums do not
/// wait for each other. Where it is first a value of its own, two rows by the four vectors of two panels are
/// the fastest of what fits.
constexpr bool kPairsOfPanels = !simd::kFusesProducts;

/// Rows of the highest tile of one panel.
constexpr int kHighest = kPairsOfPanels ? kTileRows : 6;

/// Slices this deep of the panels that a tile reads take 16 KB, half of a first-level cache.
constexpr int kDepth = kPairsOfPanels ? 256 : 512;

/// For one row of factors, a matrix that lies row after row is read so many of its rows at a time: streams
/// that processors fetch ahead, where a column of tiles through all rows is none. Eight rows of 1024 floats
/// take 1.3 times as long as six, for they share a set of the first-level cache; four take 1.2 times as long
/// where the matrix is too large for the caches.
constexpr int kStreams = 6;

/// Up to so many rows of factors read streams; more pay for packing the matrix.
constexpr int kMostStreamed = 8;

/// The columns that one row has at a time, which are sums enough not to wait for each other.
constexpr int kWide = 4 * kPanel;

/// How many floats `to` lies behind `from`, which may be in another array.
inline std::ptrdiff_t distance(const float* from, const float* to) {
  const auto bytes = reinterpret_cast<std::uintptr_t>(to) - reinterpret_cast<std::uintptr_t>(from);
  return static_cast<std::ptrdiff_t>(bytes) / static_cast<std::ptrdiff_t>(sizeof(float));
}

/// One pass of a block of rows over the slice of a panel.
struct Pass {
  const float* const* in = nullptr;  ///< of the first tap
  std::size_t step = 0;
  int taps = 0;
  int from = 0;
  int depth = 0;
  const float* b = nullptr;
  std::size_t panel_step = 0;
  std::size_t row_step = 0;
  float* const* out = nullptr;
  int rows = 0;
  int column = 0;
  const float* bias = nullptr;  ///< of the columns, for the last slice; zeros before
  bool add = false;
  std::ptrdiff_t to_residual = 0;  ///< from an output to what is added to it
  bool adds_residual = false;      ///< for the last slice
  const float* slopes = nullptr;   ///< of the columns, for the last slice, where it has no clamp
  Clamp clamp = {};
  bool clamps = false;  ///< whether `clamp` changes anything
  bool alone = false;   ///< as Rows::alone
};

/// Up to kMostStreamed rows of one tap with a matrix that lies row after row, which is read from end to end;
/// bounds are all that it knows of activations.
void stream(const Rows& rows, const Panels& b, const Epilogue& epilogue);

/// Columns [0, b.columns) of one slice of the depth, from row `k` of `b` on.
void sweep(Pass p, const Panels& b, int k, const float* bias);

}  // namespace tenure::cpu::gemm
