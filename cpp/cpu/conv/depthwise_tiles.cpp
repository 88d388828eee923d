// Micro-kernels of depthwise convolutions. Loops over channels have a copy of their Tile: stores may alias
// the caller's, and its fields would be loaded again for each vector.
#include "cpu/conv/depthwise_tiles.h"

#include <algorithm>
#include <utility>

#include "cpu/elementwise/elementwise.h"
#include "cpu/threads/warm_up.h"

namespace tenure::cpu::depthwise {
namespace {

using simd::F32;
using simd::kLanes;

// Maximum rows of taps of a tile across an edge.
constexpr int kMaxTapRows = 7;

// Computes kVectors vectors of a pixel's channels, from `c` on.
template <int kVectors>
void compute_channels(const Tile& t, int c) {
  F32 sum[kVectors];
  for (int v = 0; v < kVectors; ++v) sum[v] = t.bias ? load(t.bias + c + v * kLanes) : F32(0.0F);
  for (int ky = 0; ky < t.rows; ++ky) {
    const float* in = t.in + static_cast<std::size_t>(ky) * t.in_row + c;
    const float* w = t.filter + static_cast<std::size_t>(ky) * t.filter_row + c;
    for (int kx = 0; kx < t.columns; ++kx, in += t.in_tap, w += t.filter_tap) {
      for (int v = 0; v < kVectors; ++v) sum[v] = madd(load(in + v * kLanes), load(w + v * kLanes), sum[v]);
    }
  }
  for (int v = 0; v < kVectors; ++v) {
    store_up_to(t.out + c + v * kLanes, t.clamp(sum[v]),
                static_cast<std::size_t>(t.channels - c - v * kLanes));
  }
}

// Adds one row of taps of the tile's windows. Each input is loaded once for all the windows that it belongs
// to. The row is summed up separately, because sums that depend on each other through all rows are a tenth
// slower.
template <int kWindow, int kStride, class Input>
void add_row(F32 (&sum)[kColumns], const float* packed, const Input& input) {
  F32 weight[kWindow];
  for (int kx = 0; kx < kWindow; ++kx) weight[kx] = load(packed + kx * kLanes);
  F32 row[kColumns];
  // Without this, the compiler keeps a loop over the inputs of large windows, with weights and sums in
  // memory.
#pragma GCC unroll 16
  for (int j = 0; j < (kColumns - 1) * kStride + kWindow; ++j) {
    const F32 x = input(j);
    for (int i = 0; i < kColumns; ++i) {
      const int kx = j - i * kStride;
      if (kx == 0) row[i] = x * weight[0];
      if (kx > 0 && kx < kWindow) row[i] = madd(x, weight[kx], row[i]);
    }
  }
  for (int i = 0; i < kColumns; ++i) sum[i] = sum[i] + row[i];
}

// Inputs of a row of taps that lies inside the image.
struct InteriorTaps {
  const float* in;
  std::size_t row;
  std::size_t tap;

  InteriorTaps from(int c) const { return {in + c, row, tap}; }
  F32 operator()(int column) const { return load(in + static_cast<std::size_t>(column) * tap); }
  void next_row() { in += row; }
};

// Inputs of a row of taps across the image's edge.
struct EdgeTaps {
  const float* const* in;
  int columns;
  int c;

  EdgeTaps from(int first) const { return {in, columns, first}; }
  F32 operator()(int column) const { return load(in[column] + c); }
  void next_row() { in += columns; }
};

// Computes all channels of the tile; the last vector overlaps the one before.
template <int kWindow, int kStride, class Input>
void all_channels(const Tile& t, const Input& first_row, float* to) {
  const float* filter = t.filter;
  for (int next = 0; next < t.channels; next += kLanes, filter += t.packed) {
    const int c = std::min(next, t.channels - kLanes);
    F32 sum[kColumns];
    std::fill_n(sum, kColumns, t.bias ? load(t.bias + c) : F32(0.0F));
    Input input = first_row.from(c);
    const float* w = filter;
    int rows = t.rows;
    // Unrolled for the usual window: a loop over so few rows ends in a branch that is mispredicted too often.
    if constexpr (kWindow == 3) {
#pragma GCC unroll 3
      for (int row = kWindow; row > 1; --row) {
        if (rows < row) continue;
        add_row<kWindow, kStride>(sum, w, input);
        w += kWindow * kLanes;
        input.next_row();
        --rows;
      }
    }
#pragma GCC unroll 1
    for (; rows > 0; --rows, w += kWindow * kLanes, input.next_row()) {
      add_row<kWindow, kStride>(sum, w, input);
    }
    float* out = to + c;
    if (t.has_clamp) {
      for (F32& value : sum) value = t.clamp(value);
    }
    for (int i = 0; i < kColumns; ++i, out += t.out_stride) store(out, sum[i]);
  }
}

// Computes `count` tiles of kColumns pixels whose windows, kWindow wide, lie inside the image. Pixels of
// dilated windows are as far apart as the taps, and share inputs as others do.
template <int kWindow, int kStride>
[[gnu::noinline]] void inner_tiles(const Tile& tile) {
  const Tile t = tile;
  const float* in = t.in;
  float* out = t.out;
  for (int i = 0; i < t.count; ++i, in += kColumns * kStride * t.in_tap, out += kColumns * t.out_stride) {
    all_channels<kWindow, kStride>(t, InteriorTaps{in, t.in_row, t.in_tap}, out);
  }
}

// Computes a tile across the image's left or right edge. Columns outside are read from a row of zeros.
template <int kWindow, int kStride>
[[gnu::noinline]] void edge_tile(const Tile& tile) {
  const Tile t = tile;
  constexpr int kInputs = (kColumns - 1) * kStride + kWindow;
  const float* inputs[kMaxTapRows * kInputs];
  for (int ky = 0; ky < t.rows; ++ky) {
    const float* row = t.in + static_cast<std::size_t>(ky) * t.in_row;
    for (int j = 0; j < kInputs; ++j) {
      const int x = t.left + j * t.dilation;
      inputs[ky * kInputs + j] =
          x >= 0 && x < t.width ? row + static_cast<std::size_t>(x) * static_cast<std::size_t>(t.channels)
                                : t.zeros;
    }
  }
  all_channels<kWindow, kStride>(t, EdgeTaps{inputs, kInputs, 0}, t.out);
}

// Computes four channels of `count` windows of 3 x 3 taps, from output `first` on. Each input is loaded once
// and added to the three windows that it belongs to, two of which are not complete yet. That takes a third
// fewer loads than tiles, and no tiles across edges, because columns outside the image add nothing. With
// kPlain there is neither bias nor clamp, and a sum begins with a product: a zero to begin with would take a
// register that V8 does not have.
template <bool kPlain>
[[gnu::noinline]] void sliding_row(const Tile& t, const float* filter, int c, int first, int count) {
  F32 w[9];
  for (int i = 0; i < 9; ++i) w[i] = load(filter + i * kLanes);
  const F32 begin = !kPlain && t.bias ? load(t.bias + c) : F32(0.0F);
  int column = first + t.left;
  const std::size_t step = t.in_tap;
  const float* top = t.in + c + static_cast<std::size_t>(std::max(column, 0)) * step;
  const float* middle = top + t.in_row;
  const float* bottom = middle + t.in_row;
  const auto with_column = [&](int tap, F32 sum) {
    return madd(load(bottom), w[6 + tap], madd(load(middle), w[3 + tap], madd(load(top), w[tap], sum)));
  };
  const auto first_column = [&] {
    if (!kPlain) return with_column(0, begin);
    return madd(load(bottom), w[6], madd(load(middle), w[3], load(top) * w[0]));
  };
  const auto move_on = [&] {
    ++column;
    top += step;
    middle += step;
    bottom += step;
  };
  F32 next = begin;
  if (column < 0) {
    ++column;
  } else {
    next = first_column();
    move_on();
  }
  F32 sum = with_column(1, next);
  next = first_column();
  move_on();
  const Clamp clamp = t.clamp;
  const std::size_t out_stride = t.out_stride;
  float* out = t.out + c + static_cast<std::size_t>(first) * out_stride;
  const float* const end = out + static_cast<std::size_t>(std::min(count, t.width - column)) * out_stride;
  for (; out != end; out += out_stride) {
    const F32 done = with_column(2, sum);
    sum = with_column(1, next);
    next = first_column();
    move_on();
    store(out, kPlain ? done : clamp(done));
  }
  if (first + count + t.left + 1 == t.width) store(out, kPlain ? sum : clamp(sum));
}

template <int kWindow, int kStride>
constexpr TileFns kTiles = {inner_tiles<kWindow, kStride>, edge_tile<kWindow, kStride>};

}  // namespace

TileFns tiles_for(const ConvGeometry& g) {
  if (g.w.out / g.w.dilation < kColumns || g.h.window > kMaxTapRows || g.out_channels < kLanes) return {};
  if (g.w.window == 3 && g.w.stride == 1) return kTiles<3, 1>;
  if (g.w.window == 3 && g.w.stride == 2) return kTiles<3, 2>;
  if (g.w.window == 5 && g.w.stride == 1) return kTiles<5, 1>;
  if (g.w.window == 5 && g.w.stride == 2) return kTiles<5, 2>;
  return {};
}

void tier_up_microkernels(const ConvGeometry& g) {
  const TileFns tiles = tiles_for(g);
  if (!tiles.inner) return;
  static bool is_compiled[8][3];
  if (!std::exchange(is_compiled[g.w.window][g.w.stride], true)) {
    force_jit_tier_up(2900, [&] { tiles.inner({}); });
    force_jit_tier_up(3300, [&] { tiles.edge({}); });
  }
  static bool is_row_compiled;
  if (!should_use_row_kernel(g) || std::exchange(is_row_compiled, true)) return;
  // No outputs, and an image that is wide enough for the first window.
  constexpr float kZeros[9 * kLanes] = {};
  const Tile tile = {.in = kZeros, .width = 1 << 20};
  force_jit_tier_up(1600, [&] { sliding_row<false>(tile, kZeros, 0, 0, 0); });
}

void pixels(const Tile& tile) {
  Tile t = tile;
  // Several vectors at a time: loops over the taps are short, and their ends cost as much as the taps.
  constexpr int kVectors = 4;
  for (int i = 0; i < tile.count; ++i, t.in += t.in_stride, t.out += t.out_stride) {
    int c = 0;
    for (; c + kVectors * kLanes <= t.channels; c += kVectors * kLanes) compute_channels<kVectors>(t, c);
    for (; c < t.channels; c += kLanes) compute_channels<1>(t, c);
  }
}

bool should_use_row_kernel(const ConvGeometry& g) {
  constexpr int kMaxChannels = 64;
  return g.h.window == 3 && g.w.window == 3 && g.w.stride == 1 && g.w.dilation == 1 && g.w.pad_before <= 1 &&
         g.w.pad_after <= 1 && g.out_channels <= kMaxChannels;
}

void sliding_row_kernel(const Tile& tile, int outputs) {
  // Length of a run, in floats: its inputs stay in the first-level cache from four channels to the next.
  constexpr int kRunFloats = 2048;
  const int longest = kRunFloats / tile.channels;
  const int runs = (outputs + longest - 1) / longest;
  const int run = (outputs + runs - 1) / runs;
  const auto go = tile.bias || tile.has_clamp ? sliding_row<false> : sliding_row<true>;
  for (int x = 0; x < outputs; x += run) {
    const float* filter = tile.filter;
    for (int next = 0; next < tile.channels; next += kLanes, filter += tile.packed) {
      go(tile, filter, std::min(next, tile.channels - kLanes), x, std::min(run, outputs - x));
    }
  }
}

}  // namespace tenure::cpu::depthwise
