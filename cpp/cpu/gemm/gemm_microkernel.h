#pragma once

#include <cstddef>

#include "cpu/gemm/epilogue.h"
#include "cpu/simd/simd.h"

/// Internals of gemm.cpp: the micro-kernels for one K block of a block of rows, and the kernel for few rows.
namespace tenure::cpu::gemm {

/// True if register tiles span two panels (2 rows x 4 vectors) instead of one (6 rows x 2 vectors). Engines
/// give WebAssembly fifteen or sixteen vector registers. With fused multiply-add, 6 x 2 takes fifteen of them
/// and reaches the processor's peak, because its twelve sums are independent. Without it every product needs
/// a register, and 2 x 4 is the fastest tile that fits.
constexpr bool kUsesPanelPairs = !simd::kAssumeFma;

/// Largest MR: rows of the tallest tile of one panel.
constexpr int kMaxMR = kUsesPanelPairs ? kMR : 6;

/// KC: depth of a K block. Slices this deep of the panels that a tile reads take 16 KB, half of a first-level
/// cache.
constexpr int kKC = kUsesPanelPairs ? 256 : 512;

/// Number of rows of an unpacked right-hand matrix that are read at a time for a left-hand matrix of one row.
/// Processors prefetch such sequential reads, and not a column of tiles through all rows. Eight rows of 1024
/// floats take 1.3 times as long as six, because they share a set of the first-level cache; four take 1.2
/// times as long where the matrix is too large for the caches.
constexpr int kStreamedRows = 6;

/// Maximum rows of a left-hand matrix for which an unpacked right-hand matrix is read sequentially. With more
/// rows, packing is profitable.
constexpr int kMaxSmallM = 8;

/// Columns of a single-row tile: six vectors of sums, enough to hide the latency. V8 loads all vectors of a
/// step before it multiplies them. With eight, one of the sums would be in memory, which takes twice as long.
constexpr int kWideNR = 3 * kNR;

/// Arguments of the micro-kernels: a block of rows and one panel's slice of a K block.
struct MicrokernelArgs {
  const float* const* in = nullptr;  ///< row pointers of the first tap
  std::size_t step = 0;
  int taps = 0;
  int from = 0;
  int depth = 0;
  const float* b = nullptr;
  std::size_t panel_stride = 0;
  std::size_t row_stride = 0;
  float* const* out = nullptr;
  int rows = 0;
  int column = 0;
  bool add = false;
  VectorEpilogue epilogue = {};  ///< of these columns, in the last K block; without effect before
  bool single_row = false;       ///< see IndirectionBuffer::single_row
};

/// Multiplies up to kMaxSmallM rows of one tap with an unpacked matrix, which is read sequentially. Of the
/// activations, it applies only a clamp.
void multiply_small_m(const IndirectionBuffer& rows, const Panels& b, const Epilogue& epilogue);

/// Multiplies the rows with columns [0, b.columns) of one K block, which begins at row `k` of `b`.
/// `p.epilogue` is that of column 0.
void run_k_block(MicrokernelArgs p, const Panels& b, int k);

}  // namespace tenure::cpu::gemm
