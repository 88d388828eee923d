#include "core/text.h"
#include "shape_util/conv.h"
#include "webgpu/conv/conv2d_integer.wgsl.h"
#include "webgpu/conv/window.wgsl.h"
#include "webgpu/kernels.h"
#include "webgpu/matmul/integer_dots.h"
#include "webgpu/matmul/integer_product.h"
#include "webgpu/matmul/matmul_conv.h"
#include "webgpu/shader/wgsl.h"

namespace tenure::webgpu {
namespace {

/// Adds the bias and the scales, and declares `fn finish(sum: i32, c: i32)`, an element of column c.
void add_finish(Dispatch& dispatch, Inputs in, const IntegerConvAttrs& attrs) {
  const bool has_bias = in.has(2);
  if (has_bias) dispatch.input("bias", in[2]);
  const std::string sum = has_bias ? text("(sum+bias", column_index(in[2]), ")") : "sum";
  if (!in.has(3)) {
    dispatch.declare(text("fn finish(sum:i32,c:i32)->i32{return ", sum, ";}"));
    return;
  }
  dispatch.input("scales", in[3]).set("low", attrs.low).set("high", attrs.high);
  dispatch.declare(text("fn finish(sum:i32,c:i32)->f32{return clamp(round(f32(", sum, ")*scales",
                        column_index(in[3]), "),params.low,params.high);}"));
}

/// Multiplies windows of bytes.
void convolve_packed(const KernelArgs& args, const ConvGeometry& g, const IntegerConvAttrs& attrs,
                     IntegerDots& dots) {
  dots.pack(args.in[0]);
  Dispatch dispatch(dots.name());
  dots.add_values(dispatch, args.in[0]);
  dots.add_to(dispatch);
  add_window(dispatch, g.h, g.w);
  dispatch.declare(R"(
    fn row_origin(row: i32) -> vec3i { return window_origin(row); }
    fn source_row(origin: vec3i, tap: i32) -> i32 {
      let y = tap / params.window.x;
      let spot = origin.xy + vec2i(tap - y * params.window.x, y) * params.window.zw;
      return select(params.row_of_zeros, pixel(spot, origin.z), is_inside(spot));
    }
    fn a_zero(row: i32) -> i32 { return 0; }
    fn b_zero(column: i32) -> i32 { return 0; }
  )"_wgsl);
  add_finish(dispatch, args.in, attrs);
  dots.launch(dispatch, args.out, wgsl::kWindow);
}

}  // namespace

void conv2d_integer(const KernelArgs& args) {
  const auto attrs = args.attrs.as<IntegerConvAttrs>();
  const ConvGeometry g = conv2d_geometry(args.in[0].shape(), args.in[1].shape(), get_conv_attrs(attrs));
  if (g.groups == 1) {
    std::optional<IntegerDots> dots = IntegerDots::find(args.in[1], {.rows = g.batch * g.h.out * g.w.out,
                                                                     .columns = g.out_channels,
                                                                     .depth = g.in_channels,
                                                                     .taps = g.h.window * g.w.window,
                                                                     .sources = g.batch * g.h.in * g.w.in});
    if (dots) return convolve_packed(args, g, attrs, *dots);
  }
  const IntegerMatrix filter(args.in[1]);
  Dispatch dispatch("conv2d_integer");
  dispatch.input("x", args.in[0])
      .set("columns", g.out_channels)
      .set("channels", g.in_channels)
      .set("depth", g.group_in())
      .set("group_columns", g.group_out());
  filter.add_to(dispatch);
  add_window(dispatch, g.h, g.w);
  add_finish(dispatch, args.in, attrs);
  dispatch.elements(args.out, {wgsl::kWindow, wgsl::kConv2dInteger});
}

}  // namespace tenure::webgpu
