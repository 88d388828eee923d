#include "webgpu/kernels/one_hot.wgsl.h"
#include "webgpu/kernels.h"
#include "webgpu/shader/kernel.h"

namespace tenure::webgpu {

void one_hot(const KernelArgs& args) {
  const auto attrs = args.attrs.as<OneHotAttrs>();
  Dispatch("one_hot")
      .input("indices", args.in[0])
      .set("depth", attrs.depth)
      .set_value("on", attrs.dtype, double{attrs.on_value})
      .set_value("off", attrs.dtype, double{attrs.off_value})
      .elements(args.out, wgsl::kOneHot);
}

}  // namespace tenure::webgpu
