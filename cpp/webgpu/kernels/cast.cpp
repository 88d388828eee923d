#include "webgpu/kernels.h"
#include "webgpu/kernels/cast.wgsl.h"
#include "webgpu/shader/function_table.h"
#include "webgpu/shader/kernel.h"

namespace tenure::webgpu {

void cast(const KernelArgs& args) {
  const bool from_float = args.in[0].dtype() == DType::kFloat32;
  const bool to_bool = args.out.dtype() == DType::kBool;
  const bool to_int = args.out.dtype() == DType::kInt32;
  Dispatch dispatch("cast");
  dispatch.declare(from_float ? kFloatAliases : kIntAliases).output4().input4("x", args.in[0]);
  if (to_bool)
    return dispatch.elements(args.out, {wgsl::kCast, "fn run(i:i32){out[i]=T4(is_nonzero(x[i]));}"});
  if (from_float && to_int) {
    return dispatch.elements(args.out, {wgsl::kCast, "fn run(i:i32){out[i]=truncated(x[i]);}"});
  }
  dispatch.elements(args.out, "fn run(i:i32){out[i]=T4(x[i]);}");
}

}  // namespace tenure::webgpu
