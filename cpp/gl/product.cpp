#include "gl/product.h"

#include <algorithm>

#include "gl/activation.h"

namespace tenure::gl {

const std::string_view kWindowSource =
    "uniform ivec4 sizes,window,slide;\n"
    // The image's number, and the x and y where the window of pixel r begins.
    "ivec3 window_of(int r){int q=r/sizes.z,n=q/sizes.w;"
    "return ivec3(ivec2(r-q*sizes.z,q-n*sizes.w)*slide.xy-slide.zw,n);}\n"
    "bool inside(ivec2 at){return at.x>=0&&at.y>=0&&at.x<sizes.x&&at.y<sizes.y;}\n"
    "int pixel(ivec2 at,int n){return (n*sizes.y+at.y)*sizes.x+at.x;}\n";

const std::string_view kFinishSource =
    "#ifdef ACTIVATE\nvec4 activated(vec4 x){return ACTIVATE(x);}\n#endif\n";

bool Product::pointwise() const {
  const auto one = [](const WindowAxis& axis) {
    return axis.window == 1 && axis.stride == 1 && axis.pad_before == 0 && axis.in == axis.out;
  };
  return one(g.h) && one(g.w);
}

void add_window(Pass& pass, const ConvGeometry& g) {
  pass.set("sizes", std::array{g.w.in, g.h.in, g.w.out, g.h.out})
      .set("window", std::array{g.w.window, g.h.window, g.w.dilation, g.h.dilation})
      .set("slide", std::array{g.w.stride, g.h.stride, g.w.pad_before, g.h.pad_before});
}

void add_finish(Pass& pass, const Tensor* bias, Activation activation, float alpha) {
  std::string_view sum = "(s)";
  std::string_view sum1 = "(s)";
  if (bias) {
    pass.input("bias", *bias);
    const bool single = bias->elements() == 1;
    sum = single ? "((s)+bias1(0))" : "((s)+bias4(i))";
    sum1 = single ? "((s)+bias1(0))" : "((s)+bias1(i))";
  }
  if (activation == Activation::kLinear) {
    pass.variant("FINISH(s,i)", sum).variant("FINISH1(s,i)", sum1);
    return;
  }
  add_activation(pass, activation, alpha);
  pass.variant("FINISH(s,i)", text("activated", sum))
      .variant("FINISH1(s,i)", text("activated(vec4", sum1, ").x"));
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

void run_product(const Product& product) { run_direct(product); }

}  // namespace tenure::gl
