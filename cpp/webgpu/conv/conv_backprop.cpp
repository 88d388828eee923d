#include "webgpu/kernels.h"
#include "webgpu/matmul/matmul_conv.h"

namespace tenure::webgpu {

void conv2d_backprop_filter(const KernelArgs& args) {
  const auto attrs = args.attrs.as<ConvTransposeAttrs>();
  const ConvGeometry g = conv2d_geometry(args.in[0].shape(), args.out.shape(), get_forward_attrs(attrs));
  const int pixels = g.batch * g.h.out * g.w.out;
  if (pixels == 0) return fall_back_to_cpu(Op::conv2d_backprop_filter, args);
  run_matmul_conv({.x = args.in[0],
                   .f = args.in[1],
                   .out = args.out,
                   .mode = MatmulConv::Mode::kFilterGradient,
                   .rows = g.h.window * g.w.window * g.in_channels,
                   .columns = g.out_channels,
                   .depth = pixels,
                   .x_channels = g.in_channels,
                   .h = g.h,
                   .w = g.w});
}

}  // namespace tenure::webgpu
