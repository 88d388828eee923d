#include "webgpu/kernels.h"
#include "webgpu/shader/kernel.h"

namespace tenure::webgpu {
namespace {

void fill_with(Tensor& out, double value) {
  Dispatch("fill")
      .output4()
      .set_value("value", out.dtype(), value)
      .elements(out, "fn run(i:i32){out[i]=T4(params.value);}");
}

}  // namespace

void fill(const KernelArgs& args) {
  const auto attrs = args.attrs.as<FillAttrs>();
  // Either of the two values may hold a bool.
  const bool by_value =
      attrs.dtype == DType::kFloat32 || (attrs.dtype == DType::kBool && attrs.int_value == 0);
  fill_with(args.out, by_value ? double{attrs.value} : attrs.int_value);
}

void fill_like(const KernelArgs& args) { fill_with(args.out, args.attrs.as<FillLikeAttrs>().value); }

}  // namespace tenure::webgpu
