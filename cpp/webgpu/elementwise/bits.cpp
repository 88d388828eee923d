#include "webgpu/kernels.h"
#include "webgpu/shader/kernel.h"

namespace tenure::webgpu {

void bitwise_and(const KernelArgs& args) {
  Dispatch("bitwise_and")
      .input4("x", args.in[0])
      .input4("y", args.in[1])
      .output4()
      .elements(args.out, "fn run(i:i32){out[i]=x[i]&y[i];}");
}

}  // namespace tenure::webgpu
