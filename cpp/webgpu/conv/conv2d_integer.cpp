#include "core/text.h"
#include "shape_util/conv.h"
#include "webgpu/conv/conv2d_integer.wgsl.h"
#include "webgpu/conv/window.wgsl.h"
#include "webgpu/kernels.h"
#include "webgpu/matmul/integer_product.h"
#include "webgpu/matmul/matmul_conv.h"

namespace tenure::webgpu {
void conv2d_integer(const KernelArgs& args) {
  const auto attrs = args.attrs.as<IntegerConvAttrs>();
  const ConvGeometry g = conv2d_geometry(args.in[0].shape(), args.in[1].shape(), get_conv_attrs(attrs));
  const IntegerMatrix filter(args.in[1]);
  Dispatch dispatch("conv2d_integer");
  dispatch.input("x", args.in[0])
      .set("columns", g.out_channels)
      .set("channels", g.in_channels)
      .set("depth", g.group_in())
      .set("group_columns", g.group_out());
  filter.add_to(dispatch);
  add_window(dispatch, g.h, g.w);
  const bool has_bias = args.in.has(2);
  if (has_bias) dispatch.input("bias", args.in[2]);
  dispatch.declare(text("fn start(c:i32)->i32{return ", has_bias ? "bias" : "0",
                        has_bias ? column_index(args.in[2]) : "", ";}"));
  if (args.in.has(3)) {
    dispatch.input("scales", args.in[3]).set("low", attrs.low).set("high", attrs.high);
    dispatch.declare(text("fn finish(sum:i32,c:i32)->f32{return clamp(round(f32(sum)*scales",
                          column_index(args.in[3]), "),params.low,params.high);}"));
  } else {
    dispatch.declare("fn finish(sum:i32,c:i32)->i32{return sum;}");
  }
  dispatch.elements(args.out, {wgsl::kWindow, wgsl::kConv2dInteger});
}

}  // namespace tenure::webgpu
