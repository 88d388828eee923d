#include "core/text.h"
#include "gl/kernels.h"
#include "gl/matmul/matmul_conv.h"
#include "gl/shader/vec4_pass.h"
#include "shape_util/split_k.h"

namespace tenure::gl {
namespace {

// Sizes are in units. Each of the input's `channels` has `multiplier` channels of the output.
constexpr std::string_view kInputSource = R"(
  uniform int channels, multiplier;
  #if WHOLE
  #define F(p) f4(p)
  #else
  #define F(p) f1(p)
  #endif

  V at(int e) {
    int r = e / channels,
        c = e - r * channels,
        outs = channels * multiplier;
    V s = V(0);
    EACH_WINDOW_OVER(r)
      int p = window_at * outs + c * multiplier, f = tap_at * outs + c * multiplier;
      for (int m = 0; m < multiplier; ++m) s += X(p + m) * F(f + m);
    }
    return s;
  }
)"_glsl;

// Each output sums a chunk of dy's pixels: [chunks, taps, outs].
constexpr std::string_view kFilterSource = R"(
  uniform int outs, taps, channels, multiplier, pixels, share;
  #if WHOLE
  #define D(p) dy4(p)
  #else
  #define D(p) dy1(p)
  #endif

  V at(int e) {
    int r = e / outs,
        c = e - r * outs,
        chunk = r / taps,
        tap = r - chunk * taps,
        y = tap / window.x,
        from = c / multiplier,
        end = min((chunk + 1) * share, pixels);
    ivec2 reach = ivec2(tap - y * window.x, y) * window.zw;
    V s = V(0);
    for (int p = chunk * share; p < end; ++p) {
      ivec3 corner = window_origin(p);
      ivec2 cell = corner.xy + reach;
      if (inside(cell)) s += X(pixel(cell, corner.z) * channels + from) * D(p * outs + c);
    }
    return s;
  }
)"_glsl;

/// True if four channels are one texel, in the input and in the output.
bool in_texels(const ConvGeometry& g) { return g.out_channels == g.in_channels && g.in_channels % 4 == 0; }

}  // namespace

void depthwise_conv2d_backprop_input(const KernelArgs& args) {
  const auto attrs = args.attrs.as<ConvTransposeAttrs>();
  const ConvGeometry g =
      depthwise_conv2d_geometry(args.out.shape(), args.in[1].shape(), get_forward_attrs(attrs));
  if (args.in[0].elements() == 0) return fall_back_to_cpu(Op::depthwise_conv2d_backprop_input, args);
  Vec4Pass pass("depthwise_conv2d_backprop_input", in_texels(g));
  pass.input("x", args.in[0])
      .input("f", args.in[1])
      .set("channels", pass.units(g.in_channels))
      .set("multiplier", g.out_channels / g.in_channels);
  add_windows_over(pass, g.h, g.w);
  pass.draw(args.out, text(kWindowsOverSource, kInputSource));
}

void depthwise_conv2d_backprop_filter(const KernelArgs& args) {
  const auto attrs = args.attrs.as<ConvTransposeAttrs>();
  const ConvGeometry g =
      depthwise_conv2d_geometry(args.in[0].shape(), args.out.shape(), get_forward_attrs(attrs));
  const int pixels = g.batch * g.h.out * g.w.out;
  if (pixels == 0) return fall_back_to_cpu(Op::depthwise_conv2d_backprop_filter, args);
  Vec4Pass pass("depthwise_conv2d_backprop_filter", in_texels(g));
  constexpr std::size_t kFragments = 1 << 14;
  const SplitK chunks(pixels, static_cast<std::size_t>(pass.units(args.out.elements())), kFragments);
  pass.input("x", args.in[0])
      .input("dy", args.in[1])
      .set("outs", pass.units(g.out_channels))
      .set("taps", g.h.window * g.w.window)
      .set("channels", pass.units(g.in_channels))
      .set("multiplier", g.out_channels / g.in_channels)
      .set("pixels", pixels)
      .set("share", chunks.share);
  add_window(pass, g);
  const std::string source = text(kWindowSource, kFilterSource);
  if (chunks.count == 1) return pass.draw(args.out, source);
  const auto outputs = static_cast<std::int32_t>(args.out.elements());
  Tensor partial = Tensor::deferred({{chunks.count, outputs}, DType::kFloat32});
  pass.draw(partial, source);
  sum({{&partial}, AttrsView(ReduceAttrs{.axes = {0}}), args.out});
}

}  // namespace tenure::gl
