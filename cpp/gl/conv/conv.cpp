#include "gl/kernels.h"
#include "gl/matmul/matmul_conv.h"

namespace tenure::gl {

void conv2d(const KernelArgs& args) { conv2d(args, nullptr, nullptr); }

void conv2d(const KernelArgs& args, Tensor* packed, const Epilogue* epilogue) {
  const auto attrs = args.attrs.as<ConvAttrs>();
  run_matmul_conv({.x = args.in[0],
                   .filter = args.in[1],
                   .bias = args.in.has(2) ? &args.in[2] : nullptr,
                   .out = args.out,
                   .g = conv2d_geometry(args.in[0].shape(), args.in[1].shape(), attrs),
                   .activation = attrs.activation,
                   .alpha = attrs.alpha,
                   .packed = packed,
                   .epilogue = epilogue});
}

}  // namespace tenure::gl
