#include <algorithm>

#include "core/conv_geometry.h"
#include "cpu/activation.h"
#include "cpu/bias.h"
#include "cpu/elementwise.h"
#include "cpu/kernels.h"

namespace tenure::cpu {
namespace {

using simd::F32;
using simd::kLanes;

// Output pixels that are neighbours, and that have the same taps: enough for a tile's sums to hide each
// other's latency without spilling.
constexpr int kColumns = 4;

// A few neighbouring output pixels. Steps are in floats.
struct Tile {
  const float* in;  // the first tap of the first pixel
  const float* filter;
  const float* bias;
  float* out;
  int rows;     // taps inside the image
  int columns;  // likewise
  std::size_t in_row;
  std::size_t in_tap;
  std::size_t in_next;  // from one output pixel's window to the next one's
  std::size_t filter_row;
  int channels;
  int multiplier;
  Clamp clamp;
};

template <int kCount>
void begin(const Tile& t, int c, F32 (&sum)[kCount]) {
  std::fill_n(sum, kCount, t.bias ? load(t.bias + c) : F32(0.0F));
}

template <int kCount>
void finish(const Tile& t, int c, const F32 (&sum)[kCount]) {
  for (int i = 0; i < kCount; ++i) {
    float* out = t.out + static_cast<std::size_t>(i) * static_cast<std::size_t>(t.channels) + c;
    if (c + kLanes <= t.channels) {
      store(out, t.clamp(sum[i]));
    } else {
      store_first(out, t.clamp(sum[i]), static_cast<std::size_t>(t.channels - c));
    }
  }
}

// The input channels that output channels c to c + 3 are made from.
F32 spread(const Tile& t, const float* pixel, int c) {
  const auto channel = [&](int i) { return pixel[std::min(c + i, t.channels - 1) / t.multiplier]; };
  return simd::RawF32{channel(0), channel(1), channel(2), channel(3)};
}

// Windows of any size and step.
template <int kCount, bool kOneToOne>
[[gnu::noinline]] void any_window(const Tile& t) {
  for (int c = 0; c < t.channels; c += kLanes) {
    F32 sum[kCount];
    begin(t, c, sum);
    for (int ky = 0; ky < t.rows; ++ky) {
      const float* in = t.in + static_cast<std::size_t>(ky) * t.in_row;
      const float* w = t.filter + static_cast<std::size_t>(ky) * t.filter_row + c;
      for (int kx = 0; kx < t.columns; ++kx, in += t.in_tap, w += t.channels) {
        const F32 weight = load(w);
        for (int i = 0; i < kCount; ++i) {
          const float* pixel = in + static_cast<std::size_t>(i) * t.in_next;
          sum[i] = madd(kOneToOne ? load(pixel + c) : spread(t, pixel, c), weight, sum[i]);
        }
      }
    }
    finish(t, c, sum);
  }
}

// Rows of kWindow taps without dilation: each input is loaded once for all the windows that it belongs to.
template <int kWindow, int kStride>
[[gnu::noinline]] void shared_inputs(const Tile& t) {
  for (int c = 0; c < t.channels; c += kLanes) {
    F32 sum[kColumns];
    begin(t, c, sum);
    const float* in = t.in + c;
    const float* w = t.filter + c;
#pragma GCC unroll 1
    for (int ky = 0; ky < t.rows; ++ky, in += t.in_row, w += t.filter_row) {
      F32 weight[kWindow];
      for (int kx = 0; kx < kWindow; ++kx) weight[kx] = load(w + kx * t.channels);
      for (int j = 0; j < (kColumns - 1) * kStride + kWindow; ++j) {
        const F32 x = load(in + static_cast<std::size_t>(j) * t.in_tap);
        for (int i = 0; i < kColumns; ++i) {
          const int kx = j - i * kStride;
          if (kx >= 0 && kx < kWindow) sum[i] = madd(x, weight[kx], sum[i]);
        }
      }
    }
    finish(t, c, sum);
  }
}

using TileFn = void (*)(const Tile&);

TileFn tile_function(const ConvGeometry& g, int multiplier) {
  if (multiplier > 1) return any_window<kColumns, false>;
  if (g.w.dilation == 1) {
    if (g.w.window == 3 && g.w.stride == 1) return shared_inputs<3, 1>;
    if (g.w.window == 3 && g.w.stride == 2) return shared_inputs<3, 2>;
    if (g.w.window == 5 && g.w.stride == 1) return shared_inputs<5, 1>;
  }
  return any_window<kColumns, true>;
}

class Depthwise {
 public:
  explicit Depthwise(const KernelArgs& args)
      : attrs_(args.attrs.as<ConvAttrs>()),
        g_(depthwise_conv2d_geometry(args.in[0].shape(), args.in[1].shape(), attrs_)),
        multiplier_(args.in[1].dim(3)),
        bias_(args.in, g_.out_channels),
        x_(args.in[0].data<float>()),
        filter_(args.in[1].data<float>()),
        out_(args.out.mutable_data<float>()),
        several_(tile_function(g_, multiplier_)),
        one_(multiplier_ > 1 ? any_window<1, false> : any_window<1, true>) {}

  int rows() const { return g_.batch * g_.h.out; }

  // Rows [first, end) of the output's batch * height: what threads may share.
  void run(int first, int end) const {
    const std::size_t row_size = static_cast<std::size_t>(g_.w.out) * out_pixel();
    for (int r = first; r < end; ++r) {
      const float* image =
          x_ + static_cast<std::size_t>(r / g_.h.out) * static_cast<std::size_t>(g_.h.in) * in_row();
      float* out = out_ + static_cast<std::size_t>(r) * row_size;
      row(image, r % g_.h.out, out);
      activate(out, row_size, attrs_.activation, attrs_.alpha);
    }
  }

 private:
  std::size_t in_pixel() const { return static_cast<std::size_t>(g_.in_channels); }
  std::size_t in_row() const { return static_cast<std::size_t>(g_.w.in) * in_pixel(); }
  std::size_t out_pixel() const { return static_cast<std::size_t>(g_.out_channels); }

  void row(const float* image, int y, float* out) const {
    for (int x = 0; x < g_.w.out;) {
      const bool alike = x + kColumns <= g_.w.out && is_whole(x) && is_whole(x + kColumns - 1);
      const Tile tile = tile_at(image, y, x, out + static_cast<std::size_t>(x) * out_pixel());
      alike ? several_(tile) : one_(tile);
      x += alike ? kColumns : 1;
    }
  }

  bool is_whole(int x) const {
    const int left = g_.w.origin(x);
    return left >= 0 && left + (g_.w.window - 1) * g_.w.dilation < g_.w.in;
  }

  Tile tile_at(const float* image, int y, int x, float* out) const {
    const int top = g_.h.origin(y);
    const int left = g_.w.origin(x);
    const int first_y = g_.h.first_tap(top);
    const int first_x = g_.w.first_tap(left);
    const auto size = [](int value) { return static_cast<std::size_t>(value); };
    Tile tile = {.in = image,
                 .filter = filter_,
                 .bias = bias_.values(),
                 .out = out,
                 .rows = g_.h.end_tap(top) - first_y,
                 .columns = g_.w.end_tap(left) - first_x,
                 .in_row = size(g_.h.dilation) * in_row(),
                 .in_tap = size(g_.w.dilation) * in_pixel(),
                 .in_next = size(g_.w.stride) * in_pixel(),
                 .filter_row = size(g_.w.window) * out_pixel(),
                 .channels = g_.out_channels,
                 .multiplier = multiplier_,
                 .clamp = clamp_of(attrs_.activation)};
    if (tile.rows > 0 && tile.columns > 0) {
      tile.in +=
          size(top + first_y * g_.h.dilation) * in_row() + size(left + first_x * g_.w.dilation) * in_pixel();
      tile.filter += size(first_y) * tile.filter_row + size(first_x) * out_pixel();
    }
    return tile;
  }

  ConvAttrs attrs_;
  ConvGeometry g_;
  int multiplier_;
  ColumnBias bias_;
  const float* x_;
  const float* filter_;
  float* out_;
  TileFn several_;
  TileFn one_;
};

}  // namespace

void depthwise_conv2d(const KernelArgs& args) {
  const Depthwise convolution(args);
  convolution.run(0, convolution.rows());
}

}  // namespace tenure::cpu
