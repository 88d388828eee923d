#include "webgpu/conv/depthwise_conv2d.wgsl.h"
#include "webgpu/conv/depthwise_row.wgsl.h"
#include "webgpu/conv/window.wgsl.h"
#include "webgpu/kernels.h"
#include "webgpu/matmul/matmul_conv.h"
#include "webgpu/shader/vec4_dispatch.h"

namespace tenure::webgpu {
namespace {

/// Neighbours of a row that a thread of dispatch_rows() computes.
constexpr int kRowTile = 4;

bool can_use_rows(const ConvGeometry& g) {
  return g.in_channels == g.out_channels && g.in_channels % 4 == 0 && (g.w.window == 3 || g.w.window == 5) &&
         g.w.dilation == 1 && g.w.stride <= 2;
}

void dispatch_rows(const KernelArgs& args, const ConvGeometry& g, const ConvAttrs& attrs) {
  const int channels = g.in_channels / 4;
  const int tiles = (g.w.out + kRowTile - 1) / kRowTile;
  Dispatch dispatch("depthwise_row");
  dispatch.constant("STRIDE", g.w.stride)
      .constant("TAPS", g.w.window)
      .input4("x", args.in[0])
      .input4("f", args.in[1])
      .output4()
      .set("channels", channels)
      .set("tiles", tiles);
  add_window(dispatch, g.h, g.w);
  add_epilogue(dispatch, args.in.has(2) ? &args.in[2] : nullptr, attrs.activation, attrs.alpha);
  const auto threads = static_cast<std::size_t>(g.batch) * static_cast<std::size_t>(g.h.out) *
                       static_cast<std::size_t>(tiles) * static_cast<std::size_t>(channels);
  dispatch.threads(args.out, threads, {wgsl::kWindow, wgsl::kDepthwiseRow});
}

}  // namespace

void depthwise_conv2d(const KernelArgs& args) {
  const auto attrs = args.attrs.as<ConvAttrs>();
  const ConvGeometry g = depthwise_conv2d_geometry(args.in[0].shape(), args.in[1].shape(), attrs);
  if (can_use_rows(g)) return dispatch_rows(args, g, attrs);
  Vec4Dispatch dispatch("depthwise_conv2d", g.in_channels == g.out_channels && g.in_channels % 4 == 0);
  dispatch.units("x", args.in[0])
      .units("f", args.in[1])
      .set("channels", dispatch.count(g.out_channels))
      .set("multiplier", g.out_channels / g.in_channels);
  add_window(dispatch, g.h, g.w);
  add_epilogue(dispatch, args.in.has(2) ? &args.in[2] : nullptr, attrs.activation, attrs.alpha);
  dispatch.declare(dispatch.whole()
                       ? "fn finish_unit(s:U,c:i32,i:i32)->U{return finish(s+start(c*4),i);}"
                       : "fn finish_unit(s:U,c:i32,i:i32)->U{return finish(vec4f(s)+start(c),i>>2u).x;}");
  dispatch.run(args.out, {wgsl::kWindow, wgsl::kDepthwiseConv2d});
}

}  // namespace tenure::webgpu
