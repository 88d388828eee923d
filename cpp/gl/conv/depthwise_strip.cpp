#include "gl/conv/depthwise_strip.h"

#include "core/text.h"
#include "gl/device/context.h"
#include "gl/matmul/product.h"

namespace tenure::gl {
namespace {

constexpr int kStrip = 8;
constexpr int kLeastWidth = 2;
constexpr int kMostWidth = 5;
constexpr int kMostStride = 2;
constexpr int kMostDilation = 4;

/// Generates the GLSL for windows of `width` taps that are `dilation` apart, with stride `stride`. Each input
/// column under a tile is fetched once and added to the sums of all windows that contain it.
std::string make_source(int width, int stride, int dilation) {
  std::string sums;
  std::string weights;
  std::string columns;
  std::string results;
  for (int o = 0; o < kStrip; ++o) {
    sums += text(o ? "," : "vec4 s0=START(c)", o ? text("s", o, "=s0") : "");
    results += text("t", o, "=s", o, ";");
  }
  for (int j = 0; j < width; ++j) weights += text("vec4 w", j, "=f4(f);f+=channels;");
  for (int i = 0; i <= (kStrip - 1) * stride + (width - 1) * dilation; ++i) {
    std::string uses;
    for (int o = 0; o < kStrip; ++o) {
      const int reach = i - o * stride;
      if (reach >= 0 && reach % dilation == 0 && reach / dilation < width)
        uses += text("s", o, "+=v*w", reach / dilation, ";");
    }
    if (!uses.empty()) columns += text("{vec4 v=COLUMN(", i, ");", uses, "}\n");
  }
  return text(
      "uniform int channels,strips;\n"
      "#if PADDED\n"
      "vec4 masked(int p,int m){return intBitsToFloat(floatBitsToInt(x4(p&m))&m);}\n"
      "#define COLUMN(i) masked(p+i*channels,row&-int(uint(at.x+i)<uint(sizes.x)))\n"
      "#else\n#define COLUMN(i) x4(p+i*channels)\n#endif\n"
      "void vertex(int v){int "
      "q=over(v,channels),c=v-q*channels,y=over(q,strips),x=(q-y*strips)*8,n=over(y,sizes.w),f=c;"
      "ivec2 at=ivec2(x,y-n*sizes.w)*slide.xy-slide.zw;",
      sums,
      ";for(int tap=0;tap<window.y;++tap){int row=-int(uint(at.y)<uint(sizes.y)),p=pixel(at,n)*channels+c;",
      weights, "\n", columns, "at.y+=window.w;}\n", results, "}\n");
}

const std::string& source_of(int width, int stride, int dilation) {
  static std::string sources[kMostStride][kMostDilation][kMostWidth];
  std::string& source = sources[stride - 1][dilation - 1][width - 1];
  if (source.empty()) source = make_source(width, stride, dilation);
  return source;
}

// Copies tiles to pixels.
constexpr std::string_view kUnstripSource =
    "uniform int channels,strips,width;\n"
    "T4 texel(int i){int r=over(i,channels),c=i-r*channels,y=over(r,width),x=r-y*width;"
    "return FINISH(s4((((y*strips+(x>>3))*channels+c)<<3)+(x&7)));}\n";

}  // namespace

bool suits_strips(const ConvGeometry& g) {
  constexpr std::size_t kLeastElements = 1 << 13;
  // Tuning::vertex_tiles was measured with matmuls, which behave alike.
  return context().tuning().vertex_tiles && g.in_channels == g.out_channels && g.in_channels % 4 == 0 &&
         g.w.dilation <= kMostDilation && g.w.window >= kLeastWidth && g.w.window <= kMostWidth &&
         g.w.stride <= kMostStride && g.output().elements() >= kLeastElements &&
         g.output().elements() <= Pass::kMostByVertices;
}

void run_strips(const KernelArgs& args, const ConvGeometry& g, const ConvAttrs& attrs) {
  const int channels = g.in_channels / 4;
  const int strips = (g.w.out + kStrip - 1) / kStrip;
  Tensor stripped =
      Tensor::deferred({Shape({g.batch * g.h.out, strips, channels, kStrip * 4}), DType::kFloat32});
  const bool padded = g.h.pad_before + g.h.pad_after + g.w.pad_before + g.w.pad_after > 0;
  Pass pass("depthwise_strip");
  pass.variant("PADDED", padded)
      .variant("WIDTH", g.w.window)
      .variant("STRIDE", g.w.stride)
      .variant("DILATION", g.w.dilation)
      .input("x", args.in[0])
      .input("f", args.in[1])
      .set("channels", channels)
      .set("strips", strips);
  add_window(pass, g);
  add_start(pass, args.in.has(2) ? &args.in[2] : nullptr);
  pass.vertices(stripped, kStrip, {kWindowSource, source_of(g.w.window, g.w.stride, g.w.dilation)});
  Pass unstrip("depthwise_unstrip");
  unstrip.input("s", stripped).set("channels", channels).set("strips", strips).set("width", g.w.out);
  add_finish(unstrip, attrs.activation, attrs.alpha);
  unstrip.texels(args.out, {kFinishSource, kUnstripSource});
}

}  // namespace tenure::gl
