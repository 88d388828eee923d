#include "gl/conv/conv_phases.h"

#include <algorithm>

#include "gl/matmul/product_layout.h"
#include "gl/matmul/product_tile.h"

namespace tenure::gl {
namespace {

/// Returns the axis that all phases share, for an axis of the transposed convolution's forward convolution.
WindowAxis phases_of(const WindowAxis& axis) {
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
constexpr std::string_view kPackSource =
    "uniform ivec4 window,counts;uniform int texels,depth,channels,groups;\n"
    "T4 texel(int i){int "
    "q=over(i,texels),k=i-q*texels,g=over(q,counts.x*counts.y),t=q-g*counts.x*counts.y,"
    "y=over(t,counts.x),phase=over(g,channels),py=over(phase,window.z);"
    "ivec2 tap=ivec2(phase-py*window.z,py)+window.zw*(counts.xy-1-ivec2(t-y*counts.x,y));"
    "if(g>=groups||k>=depth||tap.x>=window.x||tap.y>=window.y)return vec4(0);"
    "int at=((tap.y*window.x+tap.x)*channels+g-phase*channels)*4*depth+k;"
    "return vec4(f1(at),f1(at+depth),f1(at+2*depth),f1(at+3*depth));}\n";

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
constexpr std::string_view kUntileSource =
    "uniform ivec4 sizes,slide,counts;uniform int channels;\n"
    "T4 texel(int i){int r=over(i,channels),q=over(r,sizes.x),n=over(q,sizes.y);"
    "ivec2 at=ivec2(r-q*sizes.x,q-n*sizes.y)+slide.zw,step=at/slide.xy,phase=at-step*slide.xy;"
    "step-=counts.zw;int row=(n*counts.y+step.y)*counts.x+step.x;"
    "return x4(place(row>>3,row,(phase.y*slide.x+phase.x)*channels+i-r*channels));}\n";

void untile(const Tensor& tiles, const Tiling& t, const ConvGeometry& g, const ConvGeometry& phases,
            Tensor& out) {
  Pass("conv_phases_untile")
      .input("x", tiles)
      .set("pairs", t.groups / 2)
      .set("sizes", std::array{g.w.in, g.h.in, 0, 0})
      .set("slide", std::array{g.w.stride, g.h.stride, g.w.pad_before, g.h.pad_before})
      .set("counts",
           std::array{phases.w.out, phases.h.out, g.w.pad_before / g.w.stride, g.h.pad_before / g.h.stride})
      .set("channels", g.in_channels / 4)
      .texels(out, {kTilePlaceSource, kUntileSource});
}

Product product_of(const KernelArgs& args, const ConvGeometry& phases) {
  return {.x = args.in[0], .filter = args.in[1], .bias = nullptr, .out = args.out, .g = phases};
}

ConvGeometry phases_of(const ConvGeometry& g) {
  return {.batch = g.batch,
          .in_channels = g.out_channels,
          .out_channels = g.in_channels * g.h.stride * g.w.stride,
          .groups = 1,
          .h = phases_of(g.h),
          .w = phases_of(g.w)};
}

}  // namespace

bool suits_phases(const KernelArgs& args, const ConvGeometry& g) {
  // A stride larger than the window would leave phases of zeros only.
  const auto fits = [](const WindowAxis& axis) { return axis.dilation == 1 && axis.stride <= axis.window; };
  return fits(g.h) && fits(g.w) && g.in_channels % 4 == 0 && suits_tiles(product_of(args, phases_of(g)));
}

void run_phases(const KernelArgs& args, const ConvGeometry& g, Tensor* packed) {
  const ConvGeometry phases = phases_of(g);
  const Product product = product_of(args, phases);
  const Tiling t(product);
  const Shape shape = packed_shape(t, product.taps());
  Tensor fresh;
  const Tensor& filter = keep_packed(packed ? *packed : fresh, shape, args.in[1],
                                     [&] { return pack(args.in[1], g, phases, shape); });
  untile(sum_tiles(product, filter), t, g, phases, args.out);
}

}  // namespace tenure::gl
