#include "gl/matmul/matmul_conv.h"

#include <algorithm>

#include "core/text.h"
#include "gl/kernels/activation.h"
#include "gl/kernels/chain.h"

namespace tenure::gl {

const std::string_view kWindowSource = R"(
  uniform ivec4 sizes, window, slide;

  // x and y of the first tap of output pixel r's window, and the index of its image
  ivec3 window_origin(int r) {
    int q = idiv(r, sizes.z), n = idiv(q, sizes.w);
    return ivec3(ivec2(r - q * sizes.z, q - n * sizes.w) * slide.xy - slide.zw, n);
  }

  bool inside(ivec2 at) { return all(lessThan(uvec2(at), uvec2(sizes.xy))); }
  int pixel(ivec2 at, int n) { return (n * sizes.y + at.y) * sizes.x + at.x; }
)"_glsl;

const std::string_view kWindowsOverSource = R"(
  uniform ivec4 sizes, window, slide;

  // Without dilation, the taps that a pixel contributes to are one stride apart.
  #if DILATED
  #define FIRST_TAP ivec2(0)
  #define NEXT_TAP ivec2(1)
  #else
  #define FIRST_TAP spot % slide.xy
  #define NEXT_TAP slide
  #endif
  #define EACH_WINDOW_OVER(r)                                                                   \
    int q = (r) / sizes.x, n = q / sizes.y;                                                     \
    ivec2 spot = ivec2((r) - q * sizes.x, q - n * sizes.y) + slide.zw, first = FIRST_TAP, tap;  \
    for (tap.y = first.y; tap.y < window.y; tap.y += NEXT_TAP.y)                                \
    for (tap.x = first.x; tap.x < window.x; tap.x += NEXT_TAP.x) {                              \
      ivec2 reach = spot - tap * window.zw, from = reach / slide.xy, corner = reach - slide.zw; \
      if (reach.x < 0 || reach.y < 0 || from.x >= sizes.z || from.y >= sizes.w ||               \
          from * slide.xy != reach)                                                             \
        continue;                                                                               \
      int window_at = (n * sizes.w + from.y) * sizes.z + from.x, tap_at = tap.y * window.x + tap.x;
)"_glsl;

const std::string_view kFinishSource = R"(
  #ifdef ACTIVATE
  vec4 activated(vec4 x) { return ACTIVATE(x); }
  #endif
)"_glsl;

namespace {

constexpr std::string_view kBatchSource = R"(
  uniform int extent[RANK], step_x[RANK], step_f[RANK];

  ivec2 matrices(int i) {
    ivec2 at = ivec2(0);
    for (int d = LAST; d >= 0; --d) {
      int q = i / extent[d];
      at += (i - q * extent[d]) * ivec2(step_x[d], step_f[d]);
      i = q;
    }
    return at;
  })"_glsl;

}  // namespace

bool MatmulConv::pointwise() const { return is_pointwise(g); }

ConvGeometry matrix_geometry(int rows, int depth, int columns) {
  const WindowAxis height = {.in = rows, .out = rows};
  const WindowAxis width = {.in = 1, .out = 1};
  return {.batch = 1, .in_channels = depth, .out_channels = columns, .groups = 1, .h = height, .w = width};
}

void add_window(Pass& pass, const WindowAxis& h, const WindowAxis& w) {
  pass.set("sizes", std::array{w.in, h.in, w.out, h.out})
      .set("window", std::array{w.window, h.window, w.dilation, h.dilation})
      .set("slide", std::array{w.stride, h.stride, w.pad_before, h.pad_before});
}

void add_windows_over(Pass& pass, const WindowAxis& h, const WindowAxis& w) {
  pass.variant("DILATED", h.dilation > 1 || w.dilation > 1);
  add_window(pass, h, w);
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

void add_finish(Pass& pass, Activation activation, float alpha, bool has_chain) {
  const bool activates = activation != Activation::kLinear;
  if (activates) add_activation(pass, activation, alpha);
  const std::string_view value = activates ? "activated(s)" : "(s)";
  pass.variant("FINISH(s)", has_chain ? text("chain(i,", value, ")") : std::string(value))
      .variant("FINISH1(s)", activates ? "activated(vec4(s)).x" : "(s)");
}

void add_finish(Pass& pass, const MatmulConv& p) {
  add_finish(pass, p.activation, p.alpha, p.epilogue != nullptr);
  if (p.epilogue) p.epilogue->chain.add_to(pass, p.epilogue->in, p.out);
}

std::string program_name(std::string_view name, const MatmulConv& p) {
  return p.epilogue ? text(name, p.epilogue->chain.name()) : std::string(name);
}

std::string_view epilogue_source(const MatmulConv& p) {
  return p.epilogue ? std::string_view(p.epilogue->chain.source()) : std::string_view();
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
  const auto step_x = ints(plan.stride_a);
  const auto step_f = ints(plan.stride_b);
  pass.declare(substitute(kBatchSource, {{"RANK", plan.rank}, {"LAST", plan.rank - 1}}))
      .set("extent", std::span(extent).first(rank))
      .set("step_x", std::span(step_x).first(rank))
      .set("step_f", std::span(step_f).first(rank));
}

void run_matmul_conv(const MatmulConv& product) {
  if (can_use_small_m(product)) return run_small_m(product);
  can_use_tiles(product) ? run_tiled(product) : run_direct(product);
}

}  // namespace tenure::gl
