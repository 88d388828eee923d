#include <algorithm>
#include <cstring>

#include "cpu/gemm/gemm.h"
#include "cpu/kernels.h"
#include "cpu/threads/scratch.h"
#include "shape_util/conv.h"

namespace tenure::cpu {
namespace {

/// Output pixels whose windows are laid out together as the columns of an im2col matrix.
constexpr int kPixels = 128;

/// Fills the transposed im2col matrix of `count` output pixels from `first` on: a row per tap and channel, a
/// column per pixel, with row stride kPixels.
void fill_im2col(const ConvGeometry& g, const float* x, int first, int count, float* columns) {
  const auto channels = static_cast<std::size_t>(g.in_channels);
  for (int i = 0; i < count; ++i) {
    const int pixel = first + i;
    const std::int32_t top = g.h.origin(pixel / g.w.out % g.h.out);
    const std::int32_t left = g.w.origin(pixel % g.w.out);
    const float* image = x + static_cast<std::size_t>(pixel / g.w.out / g.h.out) *
                                 static_cast<std::size_t>(g.h.in) * static_cast<std::size_t>(g.w.in) *
                                 channels;
    float* column = columns + i;
    for (std::int32_t a = 0; a < g.h.window; ++a) {
      const std::int32_t y = top + a * g.h.dilation;
      for (std::int32_t b = 0; b < g.w.window; ++b) {
        const std::int32_t across = left + b * g.w.dilation;
        if (y < 0 || y >= g.h.in || across < 0 || across >= g.w.in) {
          for (std::size_t c = 0; c < channels; ++c, column += kPixels) *column = 0;
          continue;
        }
        const float* cell = image + (static_cast<std::size_t>(y) * static_cast<std::size_t>(g.w.in) +
                                     static_cast<std::size_t>(across)) *
                                        channels;
        for (std::size_t c = 0; c < channels; ++c, column += kPixels) *column = cell[c];
      }
    }
  }
}

}  // namespace

void conv2d_backprop_filter(const KernelArgs& args) {
  const auto attrs = args.attrs.as<ConvTransposeAttrs>();
  const ConvGeometry g = conv2d_geometry(args.in[0].shape(), args.out.shape(), get_forward_attrs(attrs));
  const int rows = g.h.window * g.w.window * g.in_channels;
  const int pixels = g.batch * g.h.out * g.w.out;
  const auto channels = static_cast<std::size_t>(g.out_channels);
  float* out = args.out.mutable_data<float>();
  if (pixels == 0) return std::fill_n(out, args.out.elements(), 0.0F), void();
  Scratch<float> columns(static_cast<std::size_t>(rows), kPixels);
  for (int first = 0; first < pixels; first += kPixels) {
    const int count = std::min(kPixels, pixels - first);
    fill_im2col(g, args.in[0].data<float>(), first, count, columns.data());
    const float* dy = args.in[1].data<float>() + static_cast<std::size_t>(first) * channels;
    gemm::PackedB packed;
    if (gemm::should_pack(rows, count, g.out_channels))
      packed = gemm::pack(dy, count, g.out_channels, channels, false);
    const gemm::Panels panels = packed ? packed.panels() : gemm::Panels::plain(dy, g.out_channels, channels);
    gemm::multiply(columns.data(), kPixels, rows, count, panels, out, channels, {.accumulate = first > 0});
  }
}

}  // namespace tenure::cpu
