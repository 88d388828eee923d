#include "gl/conv_phases.h"
#include "gl/kernels.h"
#include "gl/product.h"

namespace tenure::gl {
namespace {

// The output's pixels are those that the windows of the ordinary convolution, whose input it is, slide over:
// each sums up the windows that it lies in. WHOLE: channels of both sides come in texels.
constexpr std::string_view kSource =
    "uniform int channels,depth;\n"
    // Without dilation, the taps that meet a pixel are a stride apart.
    "#if DILATED\n#define FIRST ivec2(0)\n#define STEP ivec2(1)\n"
    "#else\n#define FIRST at%slide.xy\n#define STEP slide\n#endif\n"
    "#if WHOLE\n#define S T4\n#define LANES 4\n#else\n#define S T\n#define LANES 1\n#endif\n"
    "S product(int r,int c){S s=S(0);int q=r/sizes.x,n=q/sizes.y;"
    "ivec2 at=ivec2(r-q*sizes.x,q-n*sizes.y)+slide.zw,first=FIRST,tap;"
    "for(tap.y=first.y;tap.y<window.y;tap.y+=STEP.y)for(tap.x=first.x;tap.x<window.x;tap.x+=STEP.x){"
    "ivec2 reach=at-tap*window.zw,from=reach/slide.xy;"
    "if(reach.x<0||reach.y<0||from.x>=sizes.z||from.y>=sizes.w||from*slide.xy!=reach)continue;"
    "int p=((n*sizes.w+from.y)*sizes.z+from.x)*depth,"
    "f=((tap.y*window.x+tap.x)*channels+c)*LANES*depth;"
    "for(int k=0;k<depth;++k){\n"
    "#if WHOLE\n"
    "T4 v=x4(p+k);int j=f+k;"
    "s+=T4(dot(v,f4(j)),dot(v,f4(j+depth)),dot(v,f4(j+2*depth)),dot(v,f4(j+3*depth)));\n"
    "#else\ns+=x1(p+k)*f1(f+k);\n#endif\n"
    "}}return s;}\n"
    "#if WHOLE\n"
    "T4 texel(int i){int r=i/channels;return product(r,i-r*channels);}\n"
    "#else\n"
    "T element(int e){int r=e/channels;return product(r,e-r*channels);}\n"
    "#endif\n";

}  // namespace

void conv2d_transpose(const KernelArgs& args) { conv2d_transpose(args, nullptr); }

void conv2d_transpose(const KernelArgs& args, Tensor* packed) {
  const ConvGeometry g =
      conv2d_transpose_geometry(args.in[0].shape(), args.in[1].shape(), args.attrs.as<ConvTransposeAttrs>());
  if (suits_phases(args, g)) return run_phases(args, g, packed);
  const bool whole = g.in_channels % 4 == 0 && g.out_channels % 4 == 0;
  const int unit = whole ? 4 : 1;
  Pass pass("conv2d_transpose");
  pass.variant("WHOLE", whole)
      .variant("DILATED", g.h.dilation > 1 || g.w.dilation > 1)
      .input("x", args.in[0])
      .input("f", args.in[1])
      .set("channels", g.in_channels / unit)
      .set("depth", g.out_channels / unit);
  add_window(pass, g);
  whole ? pass.texels(args.out, {kWindowSource, kSource}) : pass.elements(args.out, {kWindowSource, kSource});
}

}  // namespace tenure::gl
