#include "gl/depthwise_strip.h"
#include "gl/kernels.h"
#include "gl/product.h"

namespace tenure::gl {
namespace {

// WHOLE: an output texel comes of one input texel at each tap.
constexpr std::string_view kSource =
    "uniform int channels,f_channels;\n"
    "#if WHOLE\n#define S T4\n#define BEGIN START\n#else\n#define S T\n#define BEGIN START1\nuniform int "
    "multiplier;\n#endif\n"
    "S product(int r,int c){S s=BEGIN(c);ivec3 corner=window_of(r);ivec2 tap;"
    "for(tap.y=0;tap.y<window.y;++tap.y)for(tap.x=0;tap.x<window.x;++tap.x){"
    "ivec2 at=corner.xy+tap*window.zw;if(!inside(at))continue;"
    "int p=pixel(at,corner.z)*channels,f=(tap.y*window.x+tap.x)*f_channels+c;\n"
    "#if WHOLE\ns+=x4(p+c)*f4(f);\n#else\ns+=x1(p+c/multiplier)*f1(f);\n#endif\n"
    "}return s;}\n"
    "#if WHOLE\n"
    "T4 texel(int i){int r=i/f_channels,c=i-r*f_channels;return FINISH(product(r,c));}\n"
    "#else\n"
    "T element(int e){int r=e/f_channels,c=e-r*f_channels;return FINISH1(product(r,c));}\n"
    "#endif\n";

}  // namespace

void depthwise_conv2d(const KernelArgs& args) {
  const auto attrs = args.attrs.as<ConvAttrs>();
  const ConvGeometry g = depthwise_conv2d_geometry(args.in[0].shape(), args.in[1].shape(), attrs);
  if (suits_strips(g)) return run_strips(args, g, attrs);
  const bool whole = g.in_channels == g.out_channels && g.in_channels % 4 == 0;
  const int unit = whole ? 4 : 1;
  Pass pass("depthwise_conv2d");
  pass.variant("WHOLE", whole)
      .input("x", args.in[0])
      .input("f", args.in[1])
      .set("channels", g.in_channels / unit)
      .set("f_channels", g.out_channels / unit);
  if (!whole) pass.set("multiplier", g.out_channels / g.in_channels);
  add_window(pass, g);
  add_start(pass, args.in.has(2) ? &args.in[2] : nullptr);
  add_finish(pass, attrs.activation, attrs.alpha);
  const auto source = {kFinishSource, kWindowSource, kSource};
  whole ? pass.texels(args.out, source) : pass.elements(args.out, source);
}

}  // namespace tenure::gl
