#include "webgpu/elementwise/cast.wgsl.h"
#include "webgpu/kernels.h"
#include "webgpu/shader/function_table.h"
#include "webgpu/shader/kernel.h"

namespace tenure::webgpu {

void cast(const KernelArgs& args) {
  const bool from_float = args.in[0].dtype() == DType::kFloat32;
  Dispatch("cast")
      .declare(from_float ? kFloatAliases : kIntAliases)
      .constant("kFromFloat", from_float)
      .constant("kToBool", args.out.dtype() == DType::kBool)
      .constant("kTruncate", from_float && args.out.dtype() == DType::kInt32)
      .output4()
      .input4("x", args.in[0])
      .elements(args.out, wgsl::kCast);
}

}  // namespace tenure::webgpu
