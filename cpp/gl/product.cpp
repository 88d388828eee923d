#include "gl/product.h"

#include <algorithm>

#include "gl/activation.h"

namespace tenure::gl {

const std::string_view kWindowSource =
    "uniform ivec4 sizes,window,slide;\n"
    // The image's number, and the x and y where the window of pixel r begins.
    "ivec3 window_of(int r){int q=r/sizes.z,n=q/sizes.w;"
    "return ivec3(ivec2(r-q*sizes.z,q-n*sizes.w)*slide.xy-slide.zw,n);}\n"
    "bool inside(ivec2 at){return all(lessThan(uvec2(at),uvec2(sizes.xy)));}\n"
    "int pixel(ivec2 at,int n){return (n*sizes.y+at.y)*sizes.x+at.x;}\n";

const std::string_view kFinishSource =
    "#ifdef ACTIVATE\nvec4 activated(vec4 x){return ACTIVATE(x);}\n#endif\n";

bool Product::pointwise() const {
  const auto one = [](const WindowAxis& axis) {
    return axis.window == 1 && axis.stride == 1 && axis.pad_before == 0 && axis.in == axis.out;
  };
  return one(g.h) && one(g.w);
}

ConvGeometry matrix_geometry(int rows, int depth, int columns) {
  const WindowAxis height = {.in = rows, .out = rows};
  const WindowAxis width = {.in = 1, .out = 1};
  return {.batch = 1, .in_channels = depth, .out_channels = columns, .groups = 1, .h = height, .w = width};
}

void add_window(Pass& pass, const ConvGeometry& g) {
  pass.set("sizes", std::array{g.w.in, g.h.in, g.w.out, g.h.out})
      .set("window", std::array{g.w.window, g.h.window, g.w.dilation, g.h.dilation})
      .set("slide", std::array{g.w.stride, g.h.stride, g.w.pad_before, g.h.pad_before});
}

void add_start(Pass& pass, const Tensor* bias) {
  const bool single = bias && bias->elements() == 1;
  if (bias) pass.input("bias", *bias);
  pass.variant("START(i)", !bias    ? "T4(0)"
                           : single ? "T4(bias1(0))"
                                    : "bias4(i)")
      .variant("START1(i)", !bias    ? "T(0)"
                            : single ? "bias1(0)"
                                     : "bias1(i)");
}

void add_finish(Pass& pass, Activation activation, float alpha) {
  const bool activates = activation != Activation::kLinear;
  if (activates) add_activation(pass, activation, alpha);
  pass.variant("FINISH(s)", activates ? "activated(s)" : "(s)")
      .variant("FINISH1(s)", activates ? "activated(vec4(s)).x" : "(s)");
}

void add_batch(Pass& pass, const BroadcastPlan& plan) {
  const auto ints = [&](const std::size_t* values) {
    std::array<int, kMaxRank> result{};
    std::transform(values, values + plan.rank, result.begin(),
                   [](std::size_t value) { return static_cast<int>(value); });
    return result;
  };
  const auto rank = static_cast<std::size_t>(plan.rank);
  const auto extent = ints(plan.extent);
  const auto step_x = ints(plan.step_a);
  const auto step_f = ints(plan.step_b);
  pass.declare(text("uniform int extent[", plan.rank, "],step_x[", plan.rank, "],step_f[", plan.rank, "];"))
      .declare(text("ivec2 matrices(int i){ivec2 at=ivec2(0);for(int d=", plan.rank - 1,
                    ";d>=0;--d){int q=i/extent[d];at+=(i-q*extent[d])*ivec2(step_x[d],step_f[d]);i=q;}"
                    "return at;}"))
      .set("extent", std::span(extent).first(rank))
      .set("step_x", std::span(step_x).first(rank))
      .set("step_f", std::span(step_f).first(rank));
}

void run_product(const Product& product) {
  if (suits_rows(product)) return run_rows(product);
  suits_tiles(product) ? run_tiled(product) : run_direct(product);
}

}  // namespace tenure::gl
