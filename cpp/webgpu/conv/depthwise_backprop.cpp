#include "shape_util/split_k.h"
#include "webgpu/conv/depthwise_filter_gradient.wgsl.h"
#include "webgpu/conv/depthwise_input_gradient.wgsl.h"
#include "webgpu/conv/window.wgsl.h"
#include "webgpu/conv/windows_over.wgsl.h"
#include "webgpu/kernels.h"
#include "webgpu/matmul/matmul_conv.h"
#include "webgpu/shader/vec4_dispatch.h"

namespace tenure::webgpu {
namespace {

/// True if four channels are one unit, in the input and in the output.
bool in_vectors(const ConvGeometry& g) { return g.out_channels == g.in_channels && g.in_channels % 4 == 0; }

}  // namespace

void depthwise_conv2d_backprop_input(const KernelArgs& args) {
  const auto attrs = args.attrs.as<ConvTransposeAttrs>();
  const ConvGeometry g =
      depthwise_conv2d_geometry(args.out.shape(), args.in[1].shape(), get_forward_attrs(attrs));
  if (args.in[0].elements() == 0) return fall_back_to_cpu(Op::depthwise_conv2d_backprop_input, args);
  Vec4Dispatch dispatch("depthwise_conv2d_backprop_input", in_vectors(g));
  dispatch.units("x", args.in[0])
      .units("f", args.in[1])
      .constant("DILATED", g.h.dilation > 1 || g.w.dilation > 1)
      .set("channels", dispatch.count(g.in_channels))
      .set("multiplier", g.out_channels / g.in_channels);
  add_window(dispatch, g.h, g.w);
  dispatch.run(args.out, {wgsl::kWindowsOver, wgsl::kDepthwiseInputGradient});
}

void depthwise_conv2d_backprop_filter(const KernelArgs& args) {
  const auto attrs = args.attrs.as<ConvTransposeAttrs>();
  const ConvGeometry g =
      depthwise_conv2d_geometry(args.in[0].shape(), args.out.shape(), get_forward_attrs(attrs));
  const int pixels = g.batch * g.h.out * g.w.out;
  if (pixels == 0) return fall_back_to_cpu(Op::depthwise_conv2d_backprop_filter, args);
  Vec4Dispatch dispatch("depthwise_conv2d_backprop_filter", in_vectors(g));
  constexpr std::size_t kBusyThreads = 1 << 14;
  const SplitK chunks(pixels, static_cast<std::size_t>(dispatch.count(args.out.elements())), kBusyThreads);
  dispatch.units("x", args.in[0])
      .units("dy", args.in[1])
      .set("outs", dispatch.count(g.out_channels))
      .set("taps", g.h.window * g.w.window)
      .set("channels", dispatch.count(g.in_channels))
      .set("multiplier", g.out_channels / g.in_channels)
      .set("pixels", pixels)
      .set("share", chunks.share);
  add_window(dispatch, g.h, g.w);
  const auto source = {wgsl::kWindow, wgsl::kDepthwiseFilterGradient};
  if (chunks.count == 1) return dispatch.run(args.out, source);
  const auto outputs = static_cast<std::int32_t>(args.out.elements());
  Tensor partial = Tensor::deferred({{chunks.count, outputs}, DType::kFloat32});
  dispatch.run(partial, source);
  sum({{&partial}, AttrsView(ReduceAttrs{.axes = {0}}), args.out});
}

}  // namespace tenure::webgpu
