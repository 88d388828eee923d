#include "webgpu/kernels.h"
#include "webgpu/matmul/matmul_conv.h"

namespace tenure::webgpu {

void conv2d_transpose(const KernelArgs& args) {
  const ConvGeometry g =
      conv2d_transpose_geometry(args.in[0].shape(), args.in[1].shape(), args.attrs.as<ConvTransposeAttrs>());
  // A pixel reads only the taps that are a stride apart.
  const Phases rows(g.h);
  const Phases columns(g.w);
  const bool splits = rows.count * columns.count > 1 && g.h.dilation == 1 && g.w.dilation == 1;
  run_matmul_conv({.x = args.in[0],
                   .f = args.in[1],
                   .out = args.out,
                   .mode = MatmulConv::Mode::kTransposedConv,
                   .rows = g.batch * (splits ? rows.pixels * columns.pixels : g.h.in * g.w.in),
                   .columns = g.in_channels,
                   .depth = g.out_channels,
                   .taps = splits ? rows.taps * columns.taps : g.h.window * g.w.window,
                   .x_channels = g.out_channels,
                   .phases = splits ? rows.count * columns.count : 1,
                   .h = g.h,
                   .w = g.w,
                   .transpose_f = true});
}

}  // namespace tenure::webgpu
