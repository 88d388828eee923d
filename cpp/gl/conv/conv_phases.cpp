#include "gl/conv/conv_phases.h"

#include <algorithm>

#include "gl/matmul/matmul_conv_layout.h"
#include "gl/matmul/matmul_conv_tile.h"

namespace tenure::gl {
namespace {

/// Returns the axis that all phases share, for an axis of the transposed convolution's forward convolution.
WindowAxis phase_geometry(const WindowAxis& axis) {
  const std::int32_t taps = (axis.window + axis.stride - 1) / axis.stride;
  const std::int32_t first = axis.pad_before / axis.stride;
  const std::int32_t last = (axis.in - 1 + axis.pad_before) / axis.stride;
  const std::int32_t before = taps - 1 - first;
  return {.in = axis.out,
          .window = taps,
          .out = last - first + 1,
          .pad_before = before,
          .pad_after = std::max(0, last - first + taps - before - axis.out)};
}

// Packs the filter with four channels of a phase in each texel. The taps of a phase are one stride apart and
// in reverse order. Phases with fewer taps than others are padded with zeros.
constexpr std::string_view kPackSource = R"(
  uniform ivec4 window, counts;
  uniform int texels, depth, channels, groups;

  T4 texel(int i) {
    int q = idiv(i, texels),
        k = i - q * texels,
        g = idiv(q, counts.x * counts.y),
        t = q - g * counts.x * counts.y,
        y = idiv(t, counts.x),
        phase = idiv(g, channels),
        py = idiv(phase, window.z);
    ivec2 tap = ivec2(phase - py * window.z, py) + window.zw * (counts.xy - 1 - ivec2(t - y * counts.x, y));
    if (g >= groups || k >= depth || tap.x >= window.x || tap.y >= window.y) return vec4(0);
    int at = ((tap.y * window.x + tap.x) * channels + g - phase * channels) * 4 * depth + k;
    return vec4(f1(at), f1(at + depth), f1(at + 2 * depth), f1(at + 3 * depth));
  }
)"_glsl;

Tensor pack(const Tensor& filter, const ConvGeometry& g, const ConvGeometry& phases, const Shape& shape) {
  Tensor packed = Tensor::deferred({shape, DType::kFloat32});
  Pass("conv_phases_pack")
      .input("f", filter)
      .set("window", std::array{g.w.window, g.h.window, g.w.stride, g.h.stride})
      .set("counts", std::array{phases.w.window, phases.h.window, 0, 0})
      .set("texels", shape[2])
      .set("depth", phases.in_channels)
      .set("channels", g.in_channels / 4)
      .set("groups", phases.out_channels / 4)
      .texels(packed, kPackSource);
  return packed;
}

// Copies tiles of phases to pixels.
constexpr std::string_view kScatterSource = R"(
  uniform ivec4 sizes, slide, counts;
  uniform int channels;

  T4 texel(int i) {
    int r = idiv(i, channels),
        q = idiv(r, sizes.x),
        n = idiv(q, sizes.y);
    ivec2 at = ivec2(r - q * sizes.x, q - n * sizes.y) + slide.zw,
        step = at / slide.xy,
        phase = at - step * slide.xy;
    step -= counts.zw;
    int row = (n * counts.y + step.y) * counts.x + step.x;
    return x4(place(row >> 3, row, (phase.y * slide.x + phase.x) * channels + i - r * channels));
  }
)"_glsl;

void scatter_tiles(const Tensor& tiles, const Tiling& t, const ConvGeometry& g, const ConvGeometry& phases,
                   Tensor& out) {
  Pass("conv_phases_untile")
      .input("x", tiles)
      .set("pairs", t.groups / 2)
      .set("sizes", std::array{g.w.in, g.h.in, 0, 0})
      .set("slide", std::array{g.w.stride, g.h.stride, g.w.pad_before, g.h.pad_before})
      .set("counts",
           std::array{phases.w.out, phases.h.out, g.w.pad_before / g.w.stride, g.h.pad_before / g.h.stride})
      .set("channels", g.in_channels / 4)
      .texels(out, {kTilePlaceSource, kScatterSource});
}

MatmulConv make_product(const KernelArgs& args, const ConvGeometry& phases) {
  return {.x = args.in[0], .filter = args.in[1], .bias = nullptr, .out = args.out, .g = phases};
}

ConvGeometry phase_geometry(const ConvGeometry& g) {
  return {.batch = g.batch,
          .in_channels = g.out_channels,
          .out_channels = g.in_channels * g.h.stride * g.w.stride,
          .groups = 1,
          .h = phase_geometry(g.h),
          .w = phase_geometry(g.w)};
}

}  // namespace

bool can_use_phases(const KernelArgs& args, const ConvGeometry& g) {
  // A stride larger than the window would leave phases of zeros only.
  const auto fits = [](const WindowAxis& axis) { return axis.dilation == 1 && axis.stride <= axis.window; };
  return fits(g.h) && fits(g.w) && g.in_channels % 4 == 0 &&
         can_use_tiles(make_product(args, phase_geometry(g)));
}

void run_phases(const KernelArgs& args, const ConvGeometry& g, Tensor* packed) {
  const ConvGeometry phases = phase_geometry(g);
  const MatmulConv product = make_product(args, phases);
  const Tiling t(product);
  const Shape shape = packed_shape(t, product.taps());
  Tensor fresh;
  const Tensor& filter = get_or_pack(packed ? *packed : fresh, shape, args.in[1],
                                     [&] { return pack(args.in[1], g, phases, shape); });
  scatter_tiles(sum_tiles(product, filter), t, g, phases, args.out);
}

}  // namespace tenure::gl
