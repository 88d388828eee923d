#include "webgpu/conv/winograd.h"
#include "webgpu/kernels.h"
#include "webgpu/matmul/matmul_conv.h"

namespace tenure::webgpu {

void conv2d(const KernelArgs& args) { conv2d(args, nullptr); }

void conv2d(const KernelArgs& args, const Epilogue* epilogue) {
  const auto attrs = args.attrs.as<ConvAttrs>();
  const ConvGeometry g = conv2d_geometry(args.in[0].shape(), args.in[1].shape(), attrs);
  const MatmulConv conv = {.x = args.in[0],
                           .f = args.in[1],
                           .bias = args.in.has(2) ? &args.in[2] : nullptr,
                           .out = args.out,
                           .mode = is_pointwise(g) ? MatmulConv::Mode::kMatrix : MatmulConv::Mode::kConv,
                           .rows = g.batch * g.h.out * g.w.out,
                           .columns = g.group_out(),
                           .depth = g.group_in(),
                           .taps = g.h.window * g.w.window,
                           .x_channels = g.in_channels,
                           .groups = g.groups,
                           .h = g.h,
                           .w = g.w,
                           .activation = attrs.activation,
                           .alpha = attrs.alpha,
                           .epilogue = epilogue};
  can_use_winograd(conv) ? run_winograd(conv) : run_matmul_conv(conv);
}

}  // namespace tenure::webgpu
