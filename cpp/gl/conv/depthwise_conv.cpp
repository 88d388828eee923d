#include "gl/conv/depthwise_tile.h"
#include "gl/kernels.h"
#include "gl/matmul/matmul_conv.h"

namespace tenure::gl {
namespace {

// WHOLE: an output texel is computed from one input texel per tap. MULTIPLIED: from one channel or two
// adjacent channels per tap.
constexpr std::string_view kSource = R"(
  uniform int channels, f_channels, multiplier;
  #if WHOLE || MULTIPLIED
  #define S T4
  #define BEGIN START
  #else
  #define S T
  #define BEGIN START1
  #endif

  S product(int r, int c) {
    S s = BEGIN(c);
    ivec3 corner = window_origin(r);
    ivec2 tap;
  #if WHOLE
    int from = c;
  #elif MULTIPLIED
    ivec4 lane = (c * 4 + ivec4(0, 1, 2, 3)) / multiplier;
    int from = lane.x;
    bvec4 second = notEqual(lane, ivec4(from));
  #else
    int from = idiv(c, multiplier);
  #endif
    for (tap.y = 0; tap.y < window.y; ++tap.y)
      for (tap.x = 0; tap.x < window.x; ++tap.x) {
        ivec2 at = corner.xy + tap * window.zw;
        if (!inside(at)) continue;
        int p = pixel(at, corner.z) * channels + from,
            f = (tap.y * window.x + tap.x) * f_channels + c;
  #if WHOLE
        s += x4(p) * f4(f);
  #elif MULTIPLIED
        s += mix(T4(x1(p)), T4(x1(p + int(second.w))), second) * f4(f);
  #else
        s += x1(p) * f1(f);
  #endif
      }
    return s;
  }

  #if WHOLE || MULTIPLIED
  T4 texel(int i) {
    int r = idiv(i, f_channels), c = i - r * f_channels;
    return FINISH(product(r, c));
  }
  #else
  T element(int e) {
    int r = idiv(e, f_channels), c = e - r * f_channels;
    return FINISH1(product(r, c));
  }
  #endif
)"_glsl;

}  // namespace

void depthwise_conv2d(const KernelArgs& args) {
  const auto attrs = args.attrs.as<ConvAttrs>();
  const ConvGeometry g = depthwise_conv2d_geometry(args.in[0].shape(), args.in[1].shape(), attrs);
  if (can_use_depthwise_tiles(g)) return run_depthwise_tiles(args, g, attrs);
  const int multiplier = g.out_channels / g.in_channels;
  const bool texels = g.out_channels % 4 == 0;
  const bool whole = texels && multiplier == 1;
  Pass pass("depthwise_conv2d");
  pass.variant("WHOLE", whole)
      .variant("MULTIPLIED", texels && !whole)
      .input("x", args.in[0])
      .input("f", args.in[1])
      .set("channels", g.in_channels / (whole ? 4 : 1))
      .set("f_channels", g.out_channels / (texels ? 4 : 1))
      .set("multiplier", multiplier);
  add_window(pass, g);
  add_start(pass, args.in.has(2) ? &args.in[2] : nullptr);
  add_finish(pass, attrs.activation, attrs.alpha);
  const auto source = {kFinishSource, kWindowSource, kSource};
  texels ? pass.texels(args.out, source) : pass.elements(args.out, source);
}

}  // namespace tenure::gl
