// GEMM micro-kernels. The functions are short on purpose: engines re-optimize functions with hot loops, and
// short ones sooner.
#include "cpu/gemm/gemm_microkernel.h"

#include <algorithm>
#include <utility>

#include "cpu/threads/warm_up.h"

namespace tenure::cpu::gemm {
namespace {

using simd::F32;
using simd::kLanes;

// Reloads a field where it is used: kept live through a tile's K loop, it would occupy a register.
template <class T>
T reload(const T& field) {
  return *const_cast<const volatile T*>(&field);
}

// Register tile of kRows x (4 * kVectors) outputs.
template <int kRows, int kVectors>
struct Tile {
  static constexpr int kPanels = (kVectors + 1) / 2;

  // Output addresses are reloaded when the tile is stored: through the K loop they would occupy registers.
  Tile(const MicrokernelArgs& p, int row) {
    for (int r = 0; r < kRows; ++r) {
      const float* out = p.add ? p.out[row + r] + p.column : nullptr;
      for (int v = 0; v < kVectors; ++v) sum[r][v] = out ? load(out + v * kLanes) : F32(0.0F);
    }
  }
  // Computes sum[r][v] += a[r][k] * b[v], for row k of panels whose rows are `row_stride` floats apart.
  void step(const float* const (&a)[kRows], const float* const (&b)[kPanels], int k, std::size_t row_stride) {
    const std::size_t at = static_cast<std::size_t>(k) * row_stride;
    F32 x[kVectors];
    for (int v = 0; v < kVectors; ++v) x[v] = load(b[v / 2] + at + v % 2 * kLanes);
    for (int r = 0; r < kRows; ++r) {
      const F32 f = F32::load_splat(a[r] + k);
      for (int v = 0; v < kVectors; ++v) sum[r][v] = madd(f, x[v], sum[r][v]);
    }
  }
  void k_loop(const float* (&a)[kRows], const float* (&b)[kPanels], int depth, std::size_t row_stride) {
#pragma GCC unroll 1
    for (; depth > 0; --depth) {
      step(a, b, 0, 0);
      for (const float*& row : a) ++row;
      for (const float*& panel : b) panel += row_stride;
    }
  }
  // Runs the K loop unrolled by eight, for packed panels: without relaxed SIMD it takes 0.83 to 0.9 of the
  // time of the loop that is not unrolled. The loop may exit after every k, because engines move the loads of
  // a basic block ahead of its arithmetic, and those of several k exceed the registers. The last exit is the
  // loop's own, at its foot: another one would cost a tenth.
  void unrolled_k_loop(const float* (&a)[kRows], const float* (&b)[kPanels], int depth) {
    constexpr int kKUnroll = 8;
#pragma GCC unroll 1
    for (; depth > 0; depth -= kKUnroll) {
      if (unrolled_k_steps(a, b, depth, std::make_integer_sequence<int, kKUnroll - 1>())) return;
      step(a, b, kKUnroll - 1, kNR);
      for (const float*& row : a) row += kKUnroll;
      for (const float*& panel : b) panel += kKUnroll * kNR;
    }
  }
  // Runs up to seven k; returns true at the end of the depth.
  template <int... kSteps>
  bool unrolled_k_steps(const float* const (&a)[kRows], const float* const (&b)[kPanels], int depth,
                        std::integer_sequence<int, kSteps...>) {
    return ((step(a, b, kSteps, kNR), depth == kSteps + 1) || ...);
  }
  // Always inlined: as a separate function, V8 keeps the sums in memory.
  [[gnu::always_inline]] void store_tile(const MicrokernelArgs& p, int row) {
    float* const* const outs = reload(p.out) + row;
    float* out[kRows];
    for (int r = 0; r < kRows; ++r) out[r] = outs[r] + p.column;
    p.epilogue.apply(sum, out);
    // Stored in row order, which n_remainder() relies on.
    for (int r = 0; r < kRows; ++r) {
      for (int v = 0; v < kVectors; ++v) store(out[r] + v * kLanes, sum[r][v]);
    }
  }

  F32 sum[kRows][kVectors];
};

// Computes one tile after another while they fit into the rows before `end`. Returns the first row that is
// left over. Not inlined, because engines spill the registers of large functions.
template <int kRows, int kVectors, bool kInPanels = false>
[[gnu::noinline]] int run_tiles(const MicrokernelArgs& p, int row, int end) {
  constexpr int kPanels = Tile<kRows, kVectors>::kPanels;
  for (; row + kRows <= end; row += kRows) {
    Tile<kRows, kVectors> tile(p, row);
    const std::size_t row_stride = kInPanels ? std::size_t{kNR} : p.row_stride;
    const float* const* in = p.in + row;
    const float* slice = p.b;
#pragma GCC unroll 1
    for (int tap = p.taps; tap > 0; --tap) {
      const int from = reload(p.from);
      const float* a[kRows];
      for (int r = 0; r < kRows; ++r) a[r] = in[r] + from;
      const std::size_t panel_stride = reload(p.panel_stride);
      const float* b[kPanels];
      for (int i = 0; i < kPanels; ++i) b[i] = slice + static_cast<std::size_t>(i) * panel_stride;
      if constexpr (kInPanels) {
        tile.unrolled_k_loop(a, b, reload(p.depth));
      } else {
        tile.k_loop(a, b, reload(p.depth), row_stride);
      }
      in += reload(p.step);
      slice += static_cast<std::size_t>(reload(p.depth)) * row_stride;
    }
    tile.store_tile(p, row);
  }
  return row;
}

// Computes a single row of few columns. Every fourth k has its own sum, to hide the latency.
template <int kVectors>
[[gnu::noinline]] void run_single_row(const MicrokernelArgs& p) {
  constexpr int kChains = 4;
  Tile<1, kVectors> tile(p, 0);
  F32 sum[kChains][kVectors];
  for (auto& chain : sum) std::fill_n(chain, kVectors, F32(0.0F));
  for (int v = 0; v < kVectors; ++v) sum[0][v] = tile.sum[0][v];
  const float* b = p.b;
  const std::size_t row_stride = p.row_stride;
  const float* const* in = p.in;
  for (int t = 0; t < p.taps; ++t, in += p.step) {
    const float* a = *in + p.from;
    int k = 0;
#pragma GCC unroll 1
    for (; k + kChains <= p.depth; k += kChains) {
      for (int i = 0; i < kChains; ++i, b += row_stride) {
        const F32 f = F32::load_splat(a + k + i);
        for (int v = 0; v < kVectors; ++v) sum[i][v] = madd(f, load(b + v * kLanes), sum[i][v]);
      }
    }
#pragma GCC unroll 1
    for (; k < p.depth; ++k, b += row_stride) {
      const F32 f = F32::load_splat(a + k);
      for (int v = 0; v < kVectors; ++v) sum[0][v] = madd(f, load(b + v * kLanes), sum[0][v]);
    }
  }
  for (int v = 0; v < kVectors; ++v) tile.sum[0][v] = (sum[0][v] + sum[1][v]) + (sum[2][v] + sum[3][v]);
  tile.store_tile(p, 0);
}

// Uses the unrolled K loop if the matrix is packed.
template <int kRows, int kVectors>
int dispatch_layout(const MicrokernelArgs& p, int row, int end) {
  return p.row_stride == kNR ? run_tiles<kRows, kVectors, true>(p, row, end)
                             : run_tiles<kRows, kVectors>(p, row, end);
}

// Computes the rows [row, end) of one panel, `height` rows to a tile.
int dispatch_height(const MicrokernelArgs& p, int height, int row, int end) {
  if constexpr (kMaxMR == 6) {
    if (height == 6) return dispatch_layout<6, 2>(p, row, end);
    if (height == 5) return dispatch_layout<5, 2>(p, row, end);
  }
  switch (height) {
    case 4: return dispatch_layout<4, 2>(p, row, end);
    case 3: return run_tiles<3, 2>(p, row, end);
    case 2: return run_tiles<2, 2>(p, row, end);
    default: return run_tiles<1, 2>(p, row, end);
  }
}

// Prefetches by reading one float of each cache line, so that all misses overlap: a tile would request the
// next line hardly before it needs it, and hardware prefetchers restart at every page. Reads eight lines per
// iteration, because engines run this loop for long in baseline code.
[[gnu::noinline]] void prefetch(const float* from, std::size_t floats) {
  constexpr std::size_t kLine = 16;
  constexpr std::size_t kLines = 8 * kLine;
  std::size_t i = 0;
#pragma GCC unroll 1
  for (; i + kLines <= floats; i += kLines) {
#pragma GCC unroll 8
    for (std::size_t line = 0; line < kLines; line += kLine) reload(from[i + line]);
  }
#pragma GCC unroll 1
  for (; i < floats; i += kLine) reload(from[i]);
}

// Partition of rows into tile heights that differ by at most one, because a low tile waits for the latency of
// its sums. `tall_tiles` of them have height + 1 rows, the others `height`.
struct RowTiling {
  explicit RowTiling(int rows) {
    const int count = (rows + kMaxMR - 1) / kMaxMR;
    height = rows / count;
    tall_tiles = rows % count;
  }
  int height;
  int tall_tiles;
};

// Computes all rows of one panel.
[[gnu::noinline]] void nr8(const MicrokernelArgs& p) {
  if (p.single_row) return run_single_row<2>(p);
  const auto [height, tall_tiles] = RowTiling(p.rows);
  int row = 0;
  if (tall_tiles > 0) row = dispatch_height(p, height + 1, 0, tall_tiles * (height + 1));
  dispatch_height(p, height, row, p.rows);
}

// Computes all rows of four columns. They are rare, so the K loop is not unrolled.
[[gnu::noinline]] void nr4(const MicrokernelArgs& p) {
  if (p.single_row) return run_single_row<1>(p);
  const int row = run_tiles<kMR, 1>(p, 0, p.rows);
  if (row < p.rows) run_tiles<1, 1>(p, row, p.rows);
}

// Copies fewer floats than a panel has columns. A call of memcpy() would take longer.
void copy_tail(const float* from, int count, float* to) {
  if (count & 4) {
    store(to, load(from));
    from += kLanes;
    to += kLanes;
  }
  if (count & 2) {
    std::memcpy(to, from, 2 * sizeof(float));
    from += 2;
    to += 2;
  }
  if (count & 1) *to = *from;
}

// True if the output rows of `columns` floats are contiguous.
bool is_contiguous(float* const* out, int rows, int columns) {
  for (int r = 1; r < rows; ++r) {
    if (out[r] != out[r - 1] + columns) return false;
  }
  return true;
}

void narrow_nr(const MicrokernelArgs& p, int columns) { columns > kLanes ? nr8(p) : nr4(p); }

// Column remainder, fewer columns than a tile has: computed in scratch and copied out, so that nothing is
// stored past the rows. If the rows are contiguous, what is stored past one row is overwritten by the next
// ones, and only the last rows need scratch.
[[gnu::noinline]] void n_remainder(MicrokernelArgs p, int columns) {
  const int reached = ((columns > kLanes ? kNR : kLanes) - 1) / columns;
  if (p.rows > reached && !p.single_row && !p.add && !p.epilogue.adds_residual &&
      is_contiguous(p.out, p.rows, columns)) {
    const int last = p.rows - reached;
    p.rows = last;
    narrow_nr(p, columns);
    p.in += last;
    p.out += last;
    p.rows = reached;
  }
  float tile[kMC][kNR];
  float added[kMC][kNR];
  float* out[kMC];
  for (int r = 0; r < p.rows; ++r) {
    const float* from = p.out[r] + p.column;
    out[r] = tile[r];
    if (p.add) copy_tail(from, columns, tile[r]);
    if (p.epilogue.adds_residual) copy_tail(from + p.epilogue.residual_offset, columns, added[r]);
  }
  p.epilogue.residual_offset = distance(tile[0], added[0]);
  float* const* to = std::exchange(p.out, out);
  const int column = std::exchange(p.column, 0);
  narrow_nr(p, columns);
  for (int r = 0; r < p.rows; ++r) copy_tail(tile[r], columns, to[r] + column);
}

// Triggers JIT tier-up of the tile of `height` rows; a single row has the wide tile. The calls have an empty
// range of rows, and compute nothing.
void tier_up_tile(int height) {
  static bool is_compiled[kMaxMR + 1];
  if (std::exchange(is_compiled[height], true)) return;
  const MicrokernelArgs p = {.row_stride = kNR};
  if (height == 1) return force_jit_tier_up(2800, [&] { dispatch_layout<1, 6>(p, 0, 0); });
  force_jit_tier_up(1400 * height, [&] {
    kUsesPanelPairs ? dispatch_layout<2, 4>(p, 0, 0) : dispatch_height(p, height, 0, 0);
  });
}

}  // namespace

void tier_up_microkernels(int rows) {
  if (rows == 1) return tier_up_tile(1);
  if (rows <= kMaxSmallM) return;
  for (const int block : {std::min(rows, kMC), rows % kMC}) {
    if (block == 0) continue;
    const auto [height, tall_tiles] = RowTiling(block);
    tier_up_tile(kUsesPanelPairs ? 2 : height);
    if (!kUsesPanelPairs && tall_tiles > 0) tier_up_tile(height + 1);
  }
}

void run_k_block(MicrokernelArgs p, const Panels& b, int k) {
  const VectorEpilogue epilogue = p.epilogue;
  // Prefetched if the matrix takes at least half of a second-level cache and there are many rows: where
  // prefetching does not help, that costs less than a hundredth of their time.
  constexpr int kMinPrefetchRows = 36;
  constexpr std::size_t kMinPrefetchFloats = std::size_t{1} << 17;
  const auto slice = static_cast<std::size_t>(p.taps) * static_cast<std::size_t>(p.depth);
  const bool should_prefetch = p.row_stride == kNR && p.rows >= kMinPrefetchRows &&
                               slice * static_cast<std::size_t>(b.columns) >= kMinPrefetchFloats;
  const auto move_to = [&](int column, int panels = 1) {
    p.column = column;
    p.b = b.at(k, column);
    p.epilogue = epilogue.from_column(column);
    for (int i = 0; should_prefetch && i < panels; ++i)
      prefetch(p.b + static_cast<std::size_t>(i) * p.panel_stride, slice * kNR);
  };
  int column = 0;
  for (; p.rows == 1 && column + kWideNR <= b.columns; column += kWideNR) {
    move_to(column);
    dispatch_layout<1, 6>(p, 0, 1);
  }
  // With one panel at a time, up to three rows would wait for the latency of their sums.
  const bool in_pairs = p.rows < kMR || kUsesPanelPairs;
  for (; in_pairs && column + 2 * kNR <= b.columns; column += 2 * kNR) {
    move_to(column, 2);
    const int row = dispatch_layout<2, 4>(p, 0, p.rows);
    if (row < p.rows) run_tiles<1, 4>(p, row, p.rows);
  }
  for (; column + kNR <= b.columns; column += kNR) {
    move_to(column);
    nr8(p);
  }
  if (column == b.columns) return;
  move_to(column);
  b.columns - column == kLanes ? nr4(p) : n_remainder(p, b.columns - column);
}

}  // namespace tenure::cpu::gemm
