#include <algorithm>

#include "cpu/activation.h"
#include "cpu/bias.h"
#include "cpu/elementwise.h"
#include "cpu/kernels.h"
#include "cpu/parallel.h"
#include "cpu/prepacked.h"
#include "cpu/scratch.h"
#include "geometry/conv.h"

namespace tenure::cpu {
namespace {

using simd::F32;
using simd::kLanes;

// Output pixels side by side in a tile: enough for their sums to hide each other's latency without spilling.
constexpr int kColumns = 4;
// Rows of taps that a tile across an edge has room for.
constexpr int kMostRows = 7;

// A few neighbouring output pixels. Steps are in floats. What goes over channels has a copy of its own: of
// the caller's, which a store might change, everything would be loaded again for each vector.
struct Tile {
  const float* in;  // the first tap of the first pixel
  const float* filter;
  const float* bias;
  float* out;
  int rows;     // taps inside the image
  int columns;  // likewise, where the tile is one pixel
  std::size_t in_row;
  std::size_t in_tap;
  std::size_t filter_row;
  std::size_t packed;  // from the packed weights of some channels to those of the next
  int channels;
  int multiplier;
  Clamp clamp;
  bool clamps;
  int left;  // the first tap's column in the image, and how many columns there are
  int width;
  int dilation;          // of columns
  std::size_t out_step;  // from one of the pixels to the next
  int count;             // of tiles side by side
  const float* zeros;
};

// The input channels that output channels c to c + 3 are made from.
F32 spread(const Tile& t, const float* pixel, int c) {
  const auto channel = [&](int i) { return pixel[std::min(c + i, t.channels - 1) / t.multiplier]; };
  return simd::RawF32{channel(0), channel(1), channel(2), channel(3)};
}

// One pixel, with a window of any size and step.
template <bool kOneToOne>
[[gnu::noinline]] void one_pixel(const Tile& tile) {
  const Tile t = tile;
  for (int c = 0; c < t.channels; c += kLanes) {
    F32 sum = t.bias ? load(t.bias + c) : F32(0.0F);
    for (int ky = 0; ky < t.rows; ++ky) {
      const float* in = t.in + static_cast<std::size_t>(ky) * t.in_row;
      const float* w = t.filter + static_cast<std::size_t>(ky) * t.filter_row + c;
      for (int kx = 0; kx < t.columns; ++kx, in += t.in_tap, w += t.channels) {
        sum = madd(kOneToOne ? load(in + c) : spread(t, in, c), load(w), sum);
      }
    }
    store_up_to(t.out + c, t.clamp(sum), static_cast<std::size_t>(t.channels - c));
  }
}

// One row of taps of the tile's windows. Each input is loaded once for all the windows that it belongs to,
// and the row is summed up by itself, as sums that wait for each other through all rows are slower by a
// tenth.
template <int kWindow, int kStride, class Input>
void add_row(F32 (&sum)[kColumns], const float* packed, const Input& input) {
  F32 weight[kWindow];
  for (int kx = 0; kx < kWindow; ++kx) weight[kx] = load(packed + kx * kLanes);
  F32 row[kColumns];
  // Left to itself, the compiler keeps a loop over the inputs of large windows, with weights and sums in
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

// The columns of a row of taps, inside the image.
struct Inside {
  const float* in;
  std::size_t row;
  std::size_t tap;

  Inside from(int c) const { return {in + c, row, tap}; }
  F32 operator()(int column) const { return load(in + static_cast<std::size_t>(column) * tap); }
  void next_row() { in += row; }
};

// The same across its edge.
struct Across {
  const float* const* in;
  int columns;
  int c;

  Across from(int first) const { return {in, columns, first}; }
  F32 operator()(int column) const { return load(in[column] + c); }
  void next_row() { in += columns; }
};

// All channels of the tile; the last ones overlap those before.
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
    // Rows of the usual window one behind the other: a loop over so few ends in a branch that is guessed
    // wrong too often.
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
    if (t.clamps) {
      for (F32& value : sum) value = t.clamp(value);
    }
    for (int i = 0; i < kColumns; ++i, out += t.out_step) store(out, sum[i]);
  }
}

// Tiles side by side, of kColumns pixels whose windows, kWindow wide, lie inside the image. Where windows are
// dilated, the pixels are as far apart as taps, and share their inputs as others do.
template <int kWindow, int kStride>
[[gnu::noinline]] void inner_tiles(const Tile& tile) {
  const Tile t = tile;
  const float* in = t.in;
  float* out = t.out;
  for (int i = 0; i < t.count; ++i, in += kColumns * kStride * t.in_tap, out += kColumns * t.out_step) {
    all_channels<kWindow, kStride>(t, Inside{in, t.in_row, t.in_tap}, out);
  }
}

// The same across the image's left or right edge: columns outside are read from a row of zeros.
template <int kWindow, int kStride>
[[gnu::noinline]] void edge_tile(const Tile& tile) {
  const Tile t = tile;
  constexpr int kInputs = (kColumns - 1) * kStride + kWindow;
  const float* inputs[kMostRows * kInputs];
  for (int ky = 0; ky < t.rows; ++ky) {
    const float* row = t.in + static_cast<std::size_t>(ky) * t.in_row;
    for (int j = 0; j < kInputs; ++j) {
      const int x = t.left + j * t.dilation;
      inputs[ky * kInputs + j] =
          x >= 0 && x < t.width ? row + static_cast<std::size_t>(x) * static_cast<std::size_t>(t.channels)
                                : t.zeros;
    }
  }
  all_channels<kWindow, kStride>(t, Across{inputs, kInputs, 0}, t.out);
}

// Four channels of `count` windows of three by three taps, from output `first` on: each input is loaded once
// and counts for the three windows that it belongs to, two of which wait for more. A third fewer loads than
// tiles have, and no tiles across edges, for columns outside the image count nothing.
template <bool kClamps>
[[gnu::noinline]] void along_row(const Tile& t, const float* filter, int c, int first, int count) {
  F32 w[9];
  for (int i = 0; i < 9; ++i) w[i] = load(filter + i * kLanes);
  const F32 begin = t.bias ? load(t.bias + c) : F32(0.0F);
  int column = first + t.left;
  const std::size_t step = t.in_tap;
  const float* top = t.in + c + static_cast<std::size_t>(std::max(column, 0)) * step;
  const float* middle = top + t.in_row;
  const float* bottom = middle + t.in_row;
  const auto with_column = [&](int tap, F32 sum) {
    return madd(load(bottom), w[6 + tap], madd(load(middle), w[3 + tap], madd(load(top), w[tap], sum)));
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
    next = with_column(0, begin);
    move_on();
  }
  F32 sum = with_column(1, next);
  next = with_column(0, begin);
  move_on();
  const Clamp clamp = t.clamp;
  const std::size_t out_step = t.out_step;
  float* out = t.out + c + static_cast<std::size_t>(first) * out_step;
  for (int i = std::min(count, t.width - column); i > 0; --i, out += out_step) {
    const F32 done = with_column(2, sum);
    sum = with_column(1, next);
    next = with_column(0, begin);
    move_on();
    store(out, kClamps ? clamp(done) : done);
  }
  if (first + count + t.left + 1 == t.width) store(out, kClamps ? clamp(sum) : sum);
}

// Whether along_row() can be used, and is faster than tiles: where pixels are many cache lines apart, few of
// them have room in a first-level cache.
bool goes_along_rows(const ConvGeometry& g) {
  constexpr int kMostChannels = 64;
  return g.h.window == 3 && g.w.window == 3 && g.w.stride == 1 && g.w.dilation == 1 && g.w.pad_before <= 1 &&
         g.w.pad_after <= 1 && g.w.out >= kColumns && g.out_channels <= kMostChannels;
}

using TileFn = void (*)(const Tile&);

// Null where only single pixels will do.
struct TileFns {
  TileFn inner = nullptr;
  TileFn edge = nullptr;
};

template <int kWindow, int kStride>
constexpr TileFns kTiles = {inner_tiles<kWindow, kStride>, edge_tile<kWindow, kStride>};

TileFns tiles_for(const ConvGeometry& g) {
  if (g.w.out / g.w.dilation < kColumns || g.h.window > kMostRows || g.out_channels < kLanes) return {};
  if (g.w.window == 3 && g.w.stride == 1) return kTiles<3, 1>;
  if (g.w.window == 3 && g.w.stride == 2) return kTiles<3, 2>;
  if (g.w.window == 5 && g.w.stride == 1) return kTiles<5, 1>;
  if (g.w.window == 5 && g.w.stride == 2) return kTiles<5, 2>;
  return {};
}

// The weights of four channels side by side, tap by tap: their addresses are known from one, and they do not
// meet those of the image in a bank of the cache.
Scratch<float> pack_filter(const float* filter, std::size_t taps, int channels) {
  const int vectors = (channels + kLanes - 1) / kLanes;
  Scratch<float> packed(static_cast<std::size_t>(vectors * kLanes) * taps);
  float* to = packed.data();
  for (int next = 0; next < channels; next += kLanes) {
    const float* from = filter + std::min(next, channels - kLanes);
    for (std::size_t tap = 0; tap < taps; ++tap, from += channels, to += kLanes) store(to, load(from));
  }
  return packed;
}

class Depthwise {
 public:
  Depthwise(const KernelArgs& args, const Follower* then)
      : attrs_(args.attrs.as<ConvAttrs>()),
        g_(depthwise_conv2d_geometry(args.in[0].shape(), args.in[1].shape(), attrs_)),
        multiplier_(args.in[1].dim(3)),
        bias_(args.in, g_.out_channels),
        x_(args.in[0].data<float>()),
        filter_(args.in[1].data<float>()),
        out_(args.out.mutable_data<float>()),
        tiles_(tiles_for(g_)),
        packed_(tiles_.inner ? pack_filter(filter_, taps(), g_.out_channels) : Scratch<float>(0)),
        zeros_(tiles_.edge ? out_pixel() + kLanes : 0),
        then_(then) {
    std::fill_n(zeros_.data(), zeros_.size(), 0.0F);
  }

  int rows() const { return g_.batch * g_.h.out; }
  // Memory takes as much time as arithmetic does.
  std::size_t row_work() const { return static_cast<std::size_t>(g_.w.out) * out_pixel() * (taps() + 8); }

  // The floats that run() wants as scratch.
  std::size_t scratch_size() const {
    const std::int64_t rows =
        std::int64_t{kBand - 1} * g_.h.stride + std::int64_t{g_.h.window - 1} * g_.h.dilation + 1;
    return spreads() ? static_cast<std::size_t>(std::min<std::int64_t>(rows, g_.h.in)) * tile_row() + kLanes
                     : 0;
  }

  // Rows [first, end) of the output's batch * height: what threads share.
  void run(int first, int end, float* scratch) const {
    const std::size_t row_size = static_cast<std::size_t>(g_.w.out) * out_pixel();
    Image image = {nullptr, 0};
    for (int r = first, next = first; r < end; ++r) {
      if (r == next) {
        next = std::min({end, r - r % g_.h.out + g_.h.out, spreads() ? r + kBand : end});
        image = image_of(r, next, scratch);
      }
      float* out = out_ + static_cast<std::size_t>(r) * row_size;
      row(image, r % g_.h.out, out);
      activate(out, row_size, attrs_.activation, attrs_.alpha);
      if (then_) then_->run(static_cast<std::size_t>(r) * row_size, row_size);
    }
  }

 private:
  // Rows of an image, from this one on.
  struct Image {
    const float* rows;
    int first;
  };
  // Output rows that share input rows with repeated channels.
  static constexpr int kBand = 8;

  // Tiles read a channel for each of the output's: where several filters read one, it is repeated.
  bool spreads() const { return tiles_.inner && multiplier_ > 1; }
  // What output rows [first, end) of one image are made from.
  Image image_of(int first, int end, float* scratch) const {
    const float* image =
        x_ + static_cast<std::size_t>(first / g_.h.out) * static_cast<std::size_t>(g_.h.in) * in_row();
    if (!spreads()) return {image, 0};
    const int top = g_.h.origin(first % g_.h.out);
    const int bottom = g_.h.origin((end - 1) % g_.h.out) + (g_.h.window - 1) * g_.h.dilation + 1;
    const int from = std::clamp(top, 0, g_.h.in);
    const int rows = std::clamp(bottom, from, g_.h.in) - from;
    const float* in = image + static_cast<std::size_t>(from) * in_row();
    const float* const last = in + static_cast<std::size_t>(rows) * in_row();
    for (float* to = scratch; in != last; to += multiplier_) std::fill_n(to, multiplier_, *in++);
    return {scratch, from};
  }

  std::size_t taps() const {
    return static_cast<std::size_t>(g_.h.window) * static_cast<std::size_t>(g_.w.window);
  }
  std::size_t in_pixel() const { return static_cast<std::size_t>(g_.in_channels); }
  std::size_t in_row() const { return static_cast<std::size_t>(g_.w.in) * in_pixel(); }
  std::size_t out_pixel() const { return static_cast<std::size_t>(g_.out_channels); }
  // Of what tiles read.
  std::size_t tile_pixel() const { return spreads() ? out_pixel() : in_pixel(); }
  std::size_t tile_row() const { return static_cast<std::size_t>(g_.w.in) * tile_pixel(); }

  // Apart from run() and from what it does for a tile: short functions are compiled early.
  [[gnu::noinline]] void row(const Image& image, int y, float* out) const {
    const int top = g_.h.origin(y);
    const int first = g_.h.first_tap(top);
    const auto size = [](int value) { return static_cast<std::size_t>(value); };
    Tile tile = {.in = nullptr,
                 .filter = nullptr,
                 .bias = bias_.values(),
                 .out = nullptr,
                 .rows = std::max(g_.h.end_tap(top) - first, 0),
                 .columns = 0,
                 .in_row = size(g_.h.dilation) * tile_row(),
                 .in_tap = size(g_.w.dilation) * tile_pixel(),
                 .filter_row = size(g_.w.window) * out_pixel(),
                 .packed = 0,
                 .channels = g_.out_channels,
                 .multiplier = multiplier_,
                 .clamp = clamp_of(attrs_.activation),
                 .clamps = attrs_.activation == Activation::kRelu || attrs_.activation == Activation::kRelu6,
                 .left = 0,
                 .width = g_.w.in,
                 .dilation = g_.w.dilation,
                 .out_step = size(g_.w.dilation) * out_pixel(),
                 .count = 0,
                 .zeros = zeros_.data()};
    const float* in = image.rows;
    if (tile.rows > 0) in += size(top + first * g_.h.dilation - image.first) * tile_row();
    const float* filter = filter_;
    if (tiles_.inner) {
      tile.packed = taps() * kLanes;
      tile.filter_row = size(g_.w.window) * kLanes;
      filter = packed_.data();
    }
    if (tile.rows > 0) filter += size(first) * tile.filter_row;
    if (!tiles_.inner) return singly(tile, in, filter, out);
    tile.filter = filter;
    if (tile.rows == 3 && goes_along_rows(g_)) {
      tile.in = in;
      tile.out = out;
      tile.left = g_.w.origin(0);
      return all_along(tile);
    }
    for (int phase = 0; phase < g_.w.dilation; ++phase) {
      const int columns = (g_.w.out - phase + g_.w.dilation - 1) / g_.w.dilation;
      for (int i = 0; i < columns; i += kColumns * tile.count) {
        // The last tile overlaps the one before.
        i = std::min(i, columns - kColumns);
        const int x = phase + i * g_.w.dilation;
        tile.out = out + size(x) * out_pixel();
        tile.count = (columns - i) / kColumns;
        several(tile, x, in);
      }
    }
  }

  // In runs whose inputs stay in the first-level cache from four channels to the next.
  void all_along(const Tile& tile) const {
    constexpr int kRunFloats = 2048;
    const int run = kRunFloats / g_.out_channels;
    const auto go = tile.clamps ? along_row<true> : along_row<false>;
    for (int x = 0; x < g_.w.out; x += run) {
      const float* filter = tile.filter;
      for (int next = 0; next < g_.out_channels; next += kLanes, filter += tile.packed) {
        go(tile, filter, std::min(next, g_.out_channels - kLanes), x, std::min(run, g_.w.out - x));
      }
    }
  }

  // As many tiles from column `x` on as one function takes, up to tile.count.
  [[gnu::noinline]] void several(Tile& tile, int x, const float* in) const {
    tile.left = g_.w.origin(x);
    const int step = kColumns * g_.w.stride * g_.w.dilation;
    const int last = tile.left + ((kColumns - 1) * g_.w.stride + g_.w.window - 1) * g_.w.dilation;
    const bool inside = tile.left >= 0 && last < g_.w.in;
    tile.in = inside ? in + static_cast<std::size_t>(tile.left) * tile_pixel() : in;
    tile.count = inside ? std::min(tile.count, (g_.w.in - 1 - last) / step + 1) : 1;
    inside ? tiles_.inner(tile) : tiles_.edge(tile);
  }

  void singly(Tile& tile, const float* in, const float* filter, float* out) const {
    tile.out = out;
    for (int x = 0; x < g_.w.out; ++x, tile.out += out_pixel()) {
      const int left = g_.w.origin(x);
      const int first = g_.w.first_tap(left);
      tile.columns = std::max(g_.w.end_tap(left) - first, 0);
      tile.in =
          tile.columns > 0 ? in + static_cast<std::size_t>(left + first * g_.w.dilation) * in_pixel() : in;
      tile.filter = tile.columns > 0 ? filter + static_cast<std::size_t>(first) * out_pixel() : filter;
      multiplier_ > 1 ? one_pixel<false>(tile) : one_pixel<true>(tile);
    }
  }

  ConvAttrs attrs_;
  ConvGeometry g_;
  int multiplier_;
  ColumnBias bias_;
  const float* x_;
  const float* filter_;
  float* out_;
  TileFns tiles_;
  Scratch<float> packed_;
  Scratch<float> zeros_;
  const Follower* then_;
};

}  // namespace

void depthwise_conv2d(const KernelArgs& args) { depthwise_conv2d_then(args, nullptr); }

void depthwise_conv2d_then(const KernelArgs& args, const Follower* then) {
  const Depthwise convolution(args, then);
  const auto rows = static_cast<std::size_t>(convolution.rows());
  const std::size_t grain = grain_of(convolution.row_work());
  const std::size_t size = convolution.scratch_size();
  const int threads = threads_for(rows, grain);
  Scratch<float> scratch(size * static_cast<std::size_t>(threads));
  parallel_for(rows, grain, threads, [&](std::size_t begin, std::size_t end, int slot) {
    convolution.run(static_cast<int>(begin), static_cast<int>(end),
                    scratch.data() + size * static_cast<std::size_t>(slot));
  });
}

}  // namespace tenure::cpu
