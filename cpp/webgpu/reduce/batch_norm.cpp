#include "webgpu/kernels.h"
#include "webgpu/reduce/batch_norm.wgsl.h"
#include "webgpu/shader/vec4_dispatch.h"

namespace tenure::webgpu {
namespace {

/// True if each parameter repeats after whole vectors.
bool in_vectors(const Inputs& in) {
  for (int i = 1; i < in.size(); ++i) {
    if (in.has(i) && in[i].elements() % 4 != 0) return false;
  }
  return true;
}

}  // namespace

void batch_norm(const KernelArgs& args) {
  Vec4Dispatch dispatch("batch_norm", in_vectors(args.in));
  const auto add = [&](const char* name, const char* size, int i) {
    dispatch.units(name, args.in[i]).set(size, dispatch.count(args.in[i].elements()));
  };
  dispatch.units("x", args.in[0]);
  add("mean", "mean_size", 1);
  add("variance", "variance_size", 2);
  dispatch.set("epsilon", args.attrs.as<BatchNormAttrs>().epsilon);
  if (args.in.has(3)) add("offset", "offset_size", 3);
  if (args.in.has(4)) add("scale", "scale_size", 4);
  dispatch.declare(args.in.has(3) ? "fn offset_at(i:i32)->U{return offset[i%params.offset_size];}"
                                  : "fn offset_at(i:i32)->U{return U(0);}");
  dispatch.declare(args.in.has(4) ? "fn scale_at(i:i32)->U{return scale[i%params.scale_size];}"
                                  : "fn scale_at(i:i32)->U{return U(1);}");
  dispatch.run(args.out, wgsl::kBatchNorm);
}

}  // namespace tenure::webgpu
