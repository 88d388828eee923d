#include "webgpu/elementwise/one_hot.wgsl.h"
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

void one_hot(const KernelArgs& args) {
  const auto attrs = args.attrs.as<OneHotAttrs>();
  Dispatch("one_hot")
      .input("indices", args.in[0])
      .set("depth", attrs.depth)
      .set_value("on", attrs.dtype, double{attrs.on_value})
      .set_value("off", attrs.dtype, double{attrs.off_value})
      .elements(args.out, wgsl::kOneHot);
}

void diag(const KernelArgs& args) {
  Dispatch("diag")
      .input("x", args.in[0])
      .set("count", static_cast<int>(args.in[0].elements()))
      .elements(args.out,
                "fn run(i:i32){let r=i/params.count;out[i]=select(T(0),x[r],i-r*params.count==r);}");
}

}  // namespace tenure::webgpu
