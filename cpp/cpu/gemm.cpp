#include "cpu/gemm.h"

#include <algorithm>
#include <utility>

#include "core/backend.h"
#include "cpu/elementwise.h"
#include "cpu/parallel.h"
#include "cpu/transpose_block.h"

namespace tenure::cpu::gemm {
namespace {

using simd::F32;
using simd::kLanes;

// A slice of a panel this deep takes 16 KB, half of a first-level cache.
constexpr int kDepth = 512;

// For one row of factors, a matrix that lies row after row is read so many of its rows at a time: streams
// that processors fetch ahead, where a column of tiles through all rows is none.
constexpr int kStreams = 4;
constexpr std::size_t kLeastStream = 512;

// One pass of a block of rows over the slice of a panel.
struct Pass {
  const float* const* in;  // of the first tap
  std::size_t step;
  int taps;
  int from;
  int depth;
  const float* b;
  std::size_t panel_step;
  std::size_t row_step;
  float* const* out;
  int rows;
  int column;
  const float* bias;
  bool add;
  const float* const* residual;  // rows like those of `out`, for the last slice; null for none
  Clamp clamp;
  const float* packed;  // the block's whole tiles of rows, as pack_rows() left them; null for none
  bool alone;           // as Rows::alone
  bool streams;         // for stream(), where the slice is deep enough
};

// The columns that one row has at a time, which are sums enough not to wait for each other.
constexpr int kWide = 4 * kPanel;

// kRows x (4 * kVectors) outputs, held in registers.
template <int kRows, int kVectors>
struct Tile {
  Tile(const Pass& p, int row) {
    for (int r = 0; r < kRows; ++r) out[r] = p.out[row + r] + p.column;
    for (int v = 0; v < kVectors; ++v) {
      const F32 first = load(p.bias + v * kLanes);
      for (int r = 0; r < kRows; ++r) sum[r][v] = p.add ? load(out[r] + v * kLanes) : first;
    }
  }
  // sum[r][v] += *factor(r) * b[v].
  template <class Factor>
  void step(Factor factor, const float* b, std::size_t panel_step) {
    F32 x[kVectors];
    for (int v = 0; v < kVectors; ++v) {
      x[v] =
          load(b + static_cast<std::size_t>(v / 2) * panel_step + static_cast<std::size_t>(v % 2 * kLanes));
    }
    for (int r = 0; r < kRows; ++r) {
      const F32 f = F32::load_splat(factor(r));
      for (int v = 0; v < kVectors; ++v) sum[r][v] = madd(f, x[v], sum[r][v]);
    }
  }
  void finish(const Pass& p, int row) {
    if (p.residual) {
      for (int r = 0; r < kRows; ++r) {
        const float* residual = p.residual[row + r] + p.column;
        for (int v = 0; v < kVectors; ++v) sum[r][v] = sum[r][v] + load(residual + v * kLanes);
      }
    }
    // Of `p`, which a store might change, the bounds would be loaded again for each vector.
    const Clamp clamp = p.clamp;
    for (int r = 0; r < kRows; ++r) {
      for (int v = 0; v < kVectors; ++v) store(out[r] + v * kLanes, clamp(sum[r][v]));
    }
  }

  float* out[kRows];
  F32 sum[kRows][kVectors];
};

// A tile after the other; gives the first row that is left over. Four
// rows by two vectors need eleven of the sixteen registers that engines give to WebAssembly; one row by eight
// vectors ten. A function of its own, for engines spill the registers of large ones.
template <int kRows, int kVectors>
[[gnu::noinline]] int tiles(const Pass& p, int row) {
  for (; row + kRows <= p.rows; row += kRows) {
    Tile<kRows, kVectors> tile(p, row);
    const float* b = p.b;
    const std::size_t panel_step = p.panel_step;
    const std::size_t row_step = p.row_step;
    const float* const* in = p.in + row;
    for (int t = 0; t < p.taps; ++t, in += p.step) {
      const float* a[kRows];
      for (int r = 0; r < kRows; ++r) a[r] = in[r] + p.from;
      // Unrolled, the compiler moves loads ahead until they spill: a third slower.
#pragma GCC unroll 1
      for (int k = 0; k < p.depth; ++k, b += row_step)
        tile.step([&](int r) { return a[r] + k; }, b, panel_step);
    }
    tile.finish(p, row);
  }
  return row;
}

// One row of few columns: every fourth factor has sums of its own.
template <int kVectors>
[[gnu::noinline]] void one_row(const Pass& p) {
  constexpr int kChains = 4;
  Tile<1, kVectors> tile(p, 0);
  F32 sum[kChains][kVectors];
  for (auto& chain : sum) std::fill_n(chain, kVectors, F32(0.0F));
  for (int v = 0; v < kVectors; ++v) sum[0][v] = tile.sum[0][v];
  const float* b = p.b;
  const std::size_t row_step = p.row_step;
  const float* const* in = p.in;
  for (int t = 0; t < p.taps; ++t, in += p.step) {
    const float* a = *in + p.from;
    int k = 0;
#pragma GCC unroll 1
    for (; k + kChains <= p.depth; k += kChains) {
      for (int i = 0; i < kChains; ++i, b += row_step) {
        const F32 f = F32::load_splat(a + k + i);
        for (int v = 0; v < kVectors; ++v) sum[i][v] = madd(f, load(b + v * kLanes), sum[i][v]);
      }
    }
#pragma GCC unroll 1
    for (; k < p.depth; ++k, b += row_step) {
      const F32 f = F32::load_splat(a + k);
      for (int v = 0; v < kVectors; ++v) sum[0][v] = madd(f, load(b + v * kLanes), sum[0][v]);
    }
  }
  for (int v = 0; v < kVectors; ++v) tile.sum[0][v] = (sum[0][v] + sum[1][v]) + (sum[2][v] + sum[3][v]);
  tile.finish(p, 0);
}

// Four rows at a time, whose factors stand side by side: one address instead of four, and a step through `b`
// that the compiler knows. Up to a tenth faster than reading them where they lie.
template <int kVectors>
[[gnu::noinline]] int packed_tiles(const Pass& p) {
  const float* a = p.packed;
  const int depth = p.taps * p.depth;
  int row = 0;
  for (; row + kTileRows <= p.rows; row += kTileRows) {
    Tile<kTileRows, kVectors> tile(p, row);
    const float* b = p.b;
    const float* const end = a + static_cast<std::size_t>(depth) * kTileRows;
#pragma GCC unroll 1
    for (; a != end; a += kTileRows, b += kPanel) tile.step([&](int r) { return a + r; }, b, kPanel);
    tile.finish(p, row);
  }
  return row;
}

// Tiles of four rows, the four factors of each k side by side. Not a part of multiply(), which is long: what
// has hot loops, engines compile once more, and short functions are compiled early.
[[gnu::noinline]] void pack_rows(const Pass& p, float* packed) {
  for (int row = 0; row + kTileRows <= p.rows; row += kTileRows) {
    const float* const* in = p.in + row;
    for (int t = 0; t < p.taps; ++t, in += p.step) {
      int k = 0;
      for (; k + kLanes <= p.depth; k += kLanes, packed += kLanes * kTileRows) {
        const float* from[kTileRows];
        for (int r = 0; r < kTileRows; ++r) from[r] = in[r] + p.from + k;
        transpose_4x4(from, packed, kTileRows);
      }
      for (; k < p.depth; ++k) {
        for (int r = 0; r < kTileRows; ++r) *packed++ = in[r][p.from + k];
      }
    }
  }
}

template <int kVectors>
[[gnu::noinline]] void all_rows(const Pass& p) {
  const int row = p.packed ? packed_tiles<kVectors>(p) : tiles<kTileRows, kVectors>(p, 0);
  switch (p.rows - row) {
    case 1:
      if (p.alone) {
        one_row<kVectors>(p);
      } else {
        tiles<1, kVectors>(p, row);
      }
      break;
    case 2: tiles<2, kVectors>(p, row); break;
    case 3: tiles<3, kVectors>(p, row); break;
    default: break;
  }
}

// Fewer floats than a panel has columns: a call of memcpy() would take longer.
void copy_few(const float* from, int count, float* to) {
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

// The last columns, fewer than a tile's: computed beside the output, so that nothing is stored past its rows.
// Nor is this a part of what is long.
[[gnu::noinline]] void last_columns(Pass p, int columns) {
  float tile[kBlockRows][kPanel];
  float added[kBlockRows][kPanel];
  float* out[kBlockRows];
  const float* residual[kBlockRows];
  for (int r = 0; r < p.rows; ++r) {
    out[r] = tile[r];
    residual[r] = added[r];
    if (p.add) copy_few(p.out[r] + p.column, columns, tile[r]);
    if (p.residual) copy_few(p.residual[r] + p.column, columns, added[r]);
  }
  if (p.residual) p.residual = residual;
  float* const* to = std::exchange(p.out, out);
  const int column = std::exchange(p.column, 0);
  columns > kLanes ? all_rows<2>(p) : all_rows<1>(p);
  for (int r = 0; r < p.rows; ++r) copy_few(tile[r], columns, to[r] + column);
}

// A slice of kStreams rows, from end to end; gives the first column that is left over.
[[gnu::noinline]] int stream(const Pass& p, const float* b, const float* bias, int columns) {
  F32 factor[kStreams];
  const float* row[kStreams];
  for (int i = 0; i < kStreams; ++i) {
    factor[i] = F32::load_splat(p.in[0] + p.from + i);
    row[i] = b + static_cast<std::size_t>(i) * p.row_step;
  }
  const Clamp clamp = p.clamp;
  const float* residual = p.residual ? p.residual[0] : nullptr;
  float* out = p.out[0];
  int c = 0;
  for (; c + kLanes <= columns; c += kLanes) {
    F32 sum = p.add ? load(out + c) : bias ? load(bias + c) : F32(0.0F);
    for (int i = 0; i < kStreams; ++i) sum = madd(factor[i], load(row[i] + c), sum);
    if (residual) sum = sum + load(residual + c);
    store(out + c, clamp(sum));
  }
  return c;
}

// Columns [0, b.columns) of one slice of the depth.
[[gnu::noinline]] void sweep(Pass p, const Panels& b, int k, const float* bias) {
  alignas(16) static constexpr float kZeros[4 * kPanel] = {};
  const auto move_to = [&](int column) {
    p.column = column;
    p.b = b.at(k, column);
    p.bias = bias ? bias + column : kZeros;
  };
  int column =
      p.streams && p.depth == kStreams ? stream(p, b.at(k, 0), bias, b.columns / kPanel * kPanel) : 0;
  // Where the matrix lies row after row, wide tiles read whole lines of the cache, too.
  for (const int wide = kWide / p.rows; p.rows <= 2 && column + wide <= b.columns; column += wide) {
    move_to(column);
    p.rows == 1 ? tiles<1, 8>(p, 0) : tiles<2, 4>(p, 0);
  }
  for (; column + kPanel <= b.columns; column += kPanel) {
    move_to(column);
    all_rows<2>(p);
  }
  if (column == b.columns) return;
  move_to(column);
  b.columns - column == kLanes ? all_rows<1>(p) : last_columns(p, b.columns - column);
}

// Rows that lie one behind the other are taken at once.
[[gnu::noinline]] void activate_rows(const Rows& rows, std::size_t columns, const Epilogue& epilogue) {
  for (int first = 0, end = 0; first < rows.count; first = end) {
    for (end = first + 1; end < rows.count && rows.out[end] == rows.out[end - 1] + columns;) ++end;
    apply_activation(rows.out[first], static_cast<std::size_t>(end - first) * columns, epilogue.activation,
                     epilogue.alpha);
  }
}

// What is left to be done where columns are scaled. Not by the tiles: with two more vectors to load at their
// end, V8 keeps sums in memory throughout, and a product takes a third longer.
[[gnu::noinline]] void scale_row(const float* scale, const float* bias, const float* residual, Clamp clamp,
                                 float* row, int columns) {
  for (int c = 0; c < columns; c += kLanes) {
    F32 x = madd(load(row + c), load(scale + c), bias ? load(bias + c) : F32(0.0F));
    if (residual) x = x + load(residual + c);
    store_up_to(row + c, clamp(x), static_cast<std::size_t>(columns - c));
  }
}

[[gnu::noinline]] void scale_rows(const Rows& rows, int columns, const Epilogue& epilogue) {
  const Clamp clamp = clamp_of(epilogue.activation);
  for (int r = 0; r < rows.count; ++r) {
    const float* residual = epilogue.residual ? epilogue.residual + (rows.out[r] - epilogue.result) : nullptr;
    scale_row(epilogue.scale, epilogue.bias, residual, clamp, rows.out[r], columns);
  }
}

// Over fewer columns, the copies of rows cost more than they save: 1 to 13 % up to 128 columns in V8.
constexpr int kLeastCopied = 24 * kPanel;
bool is_copied(const Panels& b) { return b.row_step == kPanel && b.columns >= kLeastCopied; }

}  // namespace

std::size_t scratch_size(int taps, int depth, const Panels& b) {
  const auto floats = std::min<std::int64_t>(std::int64_t{taps} * depth, kDepth);
  return is_copied(b) ? static_cast<std::size_t>(floats * kBlockRows) : 0;
}

bool stores_once(int taps, int depth) { return std::int64_t{taps} * depth <= kDepth; }

void multiply(const Rows& rows, const Panels& b, const Epilogue& given) {
  Epilogue epilogue = given;
  if (given.scale) {
    epilogue.bias = epilogue.residual = nullptr;
    epilogue.activation = Activation::kLinear;
  }
  const bool packs = rows.scratch && rows.count >= kTileRows && is_copied(b);
  const int taps_at_once = std::clamp(kDepth / std::max(rows.depth, 1), 1, std::max(rows.taps, 1));
  Pass p = {.in = rows.in,
            .step = rows.step,
            .taps = 0,
            .from = 0,
            .depth = 0,
            .b = nullptr,
            .panel_step = b.panel_step,
            .row_step = b.row_step,
            .out = rows.out,
            .rows = rows.count,
            .column = 0,
            .bias = nullptr,
            .add = epilogue.accumulate,
            .residual = nullptr,
            .clamp = {},
            .packed = packs ? rows.scratch : nullptr,
            .alone = rows.alone,
            .streams = rows.count == 1 && rows.taps == 1 && b.row_step >= kLeastStream};
  const float* residual[kBlockRows];
  if (epilogue.residual) {
    for (int r = 0; r < rows.count; ++r) residual[r] = epilogue.residual + (rows.out[r] - epilogue.result);
  }
  const int depth_at_once = p.streams ? kStreams : kDepth;
  int tap = 0;
  do {
    p.in = rows.in + static_cast<std::size_t>(tap) * rows.step;
    p.taps = std::min(taps_at_once, rows.taps - tap);
    p.from = 0;
    do {
      p.depth = std::min(depth_at_once, rows.depth - p.from);
      const bool last = tap + p.taps >= rows.taps && p.from + p.depth >= rows.depth;
      if (last) p.clamp = clamp_of(epilogue.activation);
      if (last && epilogue.residual) p.residual = residual;
      if (packs) pack_rows(p, rows.scratch);
      sweep(p, b, tap * rows.depth + p.from, p.add ? nullptr : epilogue.bias);
      p.add = true;
      p.from += p.depth;
    } while (p.from < rows.depth);
    tap += p.taps;
  } while (tap < rows.taps);
  if (given.scale) scale_rows(rows, b.columns, given);
  if (!is_clamp(given.activation)) activate_rows(rows, static_cast<std::size_t>(b.columns), given);
  if (epilogue.then) {
    epilogue.then->run(static_cast<std::size_t>(rows.out[0] - epilogue.result),
                       static_cast<std::size_t>(rows.count) * static_cast<std::size_t>(b.columns));
  }
}

void multiply(const float* a, std::size_t a_step, int rows, int depth, const Panels& b, float* c,
              std::size_t c_step, const Epilogue& epilogue) {
  if (rows == 1 && b.columns < kWide) {
    return multiply({&a, 1, 1, depth, &c, 1, nullptr, true}, b, epilogue);
  }
  // Each thread copies the rows that it works on.
  const std::size_t copies = rows >= kTileRows ? scratch_size(1, depth, b) : 0;
  const auto tiles = static_cast<std::size_t>((rows + kTileRows - 1) / kTileRows);
  const auto panels = static_cast<std::size_t>((b.columns + kPanel - 1) / kPanel);
  const std::size_t tile = static_cast<std::size_t>(depth) * kPanel * kTileRows;
  const int threads = threads_for(tiles * panels, grain_of(tile));
  Scratch<float> scratch(copies * static_cast<std::size_t>(threads));
  const auto product = [&](int first, int last, const Panels& panels, float* to, const Epilogue& end,
                           int slot) {
    float* own = copies > 0 ? scratch.data() + static_cast<std::size_t>(slot) * copies : nullptr;
    const float* in[kBlockRows];
    float* out[kBlockRows];
    for (; first < last; first += kBlockRows) {
      const int count = std::min(kBlockRows, last - first);
      for (int r = 0; r < count; ++r) {
        in[r] = a + static_cast<std::size_t>(first + r) * a_step;
        out[r] = to + static_cast<std::size_t>(first + r) * c_step;
      }
      multiply({in, kBlockRows, 1, depth, out, count, own}, panels, end);
    }
  };
  if (tiles > 1) {
    return parallel_for(tiles, grain_of(tile * panels), threads,
                        [&](std::size_t begin, std::size_t end, int slot) {
                          const int last = std::min(static_cast<int>(end) * kTileRows, rows);
                          product(static_cast<int>(begin) * kTileRows, last, b, c, epilogue, slot);
                        });
  }
  // Few rows wait for the memory that b is in.
  parallel_for(panels, grain_of(tile), threads, [&](std::size_t begin, std::size_t end, int slot) {
    const int first = static_cast<int>(begin) * kPanel;
    Panels part = b;
    part.data = b.at(0, first);
    part.columns = std::min(static_cast<int>(end) * kPanel, b.columns) - first;
    Epilogue last = epilogue;
    last.then = nullptr;
    if (last.bias) last.bias += first;
    if (last.scale) last.scale += first;
    product(0, rows, part, c + first, last, slot);
  });
  if (epilogue.then)
    epilogue.then->run(0, static_cast<std::size_t>(rows) * static_cast<std::size_t>(b.columns));
}

}  // namespace tenure::cpu::gemm
