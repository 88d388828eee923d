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

// The taps of a window that lie inside the image, and the input pixel of the first.
struct Taps {
  const float* in;
  int y;
  int rows;
  int x;
  int columns;
};

class Depthwise {
 public:
  explicit Depthwise(const KernelArgs& args)
      : attrs_(args.attrs.as<ConvAttrs>()),
        g_(depthwise_conv2d_geometry(args.in[0].shape(), args.in[1].shape(), attrs_)),
        multiplier_(args.in[1].dim(3)),
        bias_(args.in, g_.out_channels),
        clamp_(clamp_of(attrs_.activation)),
        x_(args.in[0].data<float>()),
        filter_(args.in[1].data<float>()),
        out_(args.out.mutable_data<float>()) {}

  // Rows [first, end) of the output's batch * height: what threads may share.
  void run(int first, int end) {
    const std::size_t row_size = static_cast<std::size_t>(g_.w.out) * out_pixel();
    for (int r = first; r < end; ++r) {
      float* out = out_ + static_cast<std::size_t>(r) * row_size;
      row(x_ + static_cast<std::size_t>(r / g_.h.out) * static_cast<std::size_t>(g_.h.in) * in_row(),
          r % g_.h.out, out);
      activate(out, row_size, attrs_.activation, attrs_.alpha);
    }
  }
  int rows() const { return g_.batch * g_.h.out; }

 private:
  std::size_t in_pixel() const { return static_cast<std::size_t>(g_.in_channels); }
  std::size_t in_row() const { return static_cast<std::size_t>(g_.w.in) * in_pixel(); }
  std::size_t out_pixel() const { return static_cast<std::size_t>(g_.out_channels); }

  void row(const float* image, int y, float* out) const {
    constexpr int kColumns = 4;
    for (int x = 0; x < g_.w.out;) {
      float* pixel = out + static_cast<std::size_t>(x) * out_pixel();
      const bool alike = x + kColumns <= g_.w.out && is_whole(x) && is_whole(x + kColumns - 1);
      const Taps taps = taps_at(image, y, x);
      alike ? pixels<kColumns>(taps, pixel) : pixels<1>(taps, pixel);
      x += alike ? kColumns : 1;
    }
  }

  bool is_whole(int x) const {
    const int left = g_.w.origin(x);
    return left >= 0 && left + (g_.w.window - 1) * g_.w.dilation < g_.w.in;
  }

  Taps taps_at(const float* image, int y, int x) const {
    const int top = g_.h.origin(y);
    const int left = g_.w.origin(x);
    Taps taps = {image, g_.h.first_tap(top), 0, g_.w.first_tap(left), 0};
    taps.rows = g_.h.end_tap(top) - taps.y;
    taps.columns = g_.w.end_tap(left) - taps.x;
    if (taps.rows > 0 && taps.columns > 0) {
      taps.in += static_cast<std::size_t>(top + taps.y * g_.h.dilation) * in_row() +
                 static_cast<std::size_t>(left + taps.x * g_.w.dilation) * in_pixel();
    }
    return taps;
  }

  // kCount neighbouring output pixels whose windows have the same taps.
  template <int kCount>
  void pixels(const Taps& taps, float* out) const {
    if (multiplier_ > 1) return each_channel<kCount, false>(taps, out);
    each_channel<kCount, true>(taps, out);
  }

  template <int kCount, bool kOneToOne>
  void each_channel(const Taps& taps, float* out) const {
    const int channels = g_.out_channels;
    const std::size_t next = static_cast<std::size_t>(g_.w.stride) * in_pixel();
    const float* filter =
        filter_ + (static_cast<std::size_t>(taps.y) * static_cast<std::size_t>(g_.w.window) +
                   static_cast<std::size_t>(taps.x)) *
                      out_pixel();
    for (int c = 0; c < channels; c += kLanes) {
      F32 sum[kCount];
      std::fill_n(sum, kCount, bias_.values() ? load(bias_.values() + c) : F32(0.0F));
      for (int ky = 0; ky < taps.rows; ++ky) {
        const float* in = taps.in + static_cast<std::size_t>(ky * g_.h.dilation) * in_row();
        const float* w = filter + static_cast<std::size_t>(ky * g_.w.window) * out_pixel() + c;
        for (int kx = 0; kx < taps.columns; ++kx) {
          const float* tap = in + static_cast<std::size_t>(kx * g_.w.dilation) * in_pixel();
          const F32 weight = load(w + static_cast<std::size_t>(kx) * out_pixel());
          for (int i = 0; i < kCount; ++i) {
            const float* pixel = tap + static_cast<std::size_t>(i) * next;
            sum[i] = madd(kOneToOne ? load(pixel + c) : spread(pixel, c), weight, sum[i]);
          }
        }
      }
      for (int i = 0; i < kCount; ++i) {
        float* to = out + static_cast<std::size_t>(i) * out_pixel() + c;
        c + kLanes <= channels ? store(to, clamp_(sum[i]))
                               : store_first(to, clamp_(sum[i]), static_cast<std::size_t>(channels - c));
      }
    }
  }

  // The input channels that output channels c to c + 3 are made from.
  F32 spread(const float* pixel, int c) const {
    const int last = g_.out_channels - 1;
    const auto channel = [&](int i) { return pixel[std::min(c + i, last) / multiplier_]; };
    return simd::RawF32{channel(0), channel(1), channel(2), channel(3)};
  }

  ConvAttrs attrs_;
  ConvGeometry g_;
  int multiplier_;
  ColumnBias bias_;
  Clamp clamp_;
  const float* x_;
  const float* filter_;
  float* out_;
};

}  // namespace

void depthwise_conv2d(const KernelArgs& args) {
  Depthwise convolution(args);
  convolution.run(0, convolution.rows());
}

}  // namespace tenure::cpu
