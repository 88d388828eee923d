#include "gl/kernels.h"
#include "gl/matmul/product.h"

namespace tenure::gl {

void conv2d(const KernelArgs& args) { conv2d(args, nullptr, nullptr); }

void conv2d(const KernelArgs& args, Tensor* packed, const Ending* ending) {
  const auto attrs = args.attrs.as<ConvAttrs>();
  run_product({.x = args.in[0],
               .filter = args.in[1],
               .bias = args.in.has(2) ? &args.in[2] : nullptr,
               .out = args.out,
               .g = conv2d_geometry(args.in[0].shape(), args.in[1].shape(), attrs),
               .activation = attrs.activation,
               .alpha = attrs.alpha,
               .packed = packed,
               .ending = ending});
}

}  // namespace tenure::gl
