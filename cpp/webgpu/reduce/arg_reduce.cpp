#include <algorithm>

#include "core/run/dispatch.h"
#include "core/text.h"
#include "shape_util/reduce.h"
#include "webgpu/kernels.h"
#include "webgpu/reduce/arg_reduce.wgsl.h"
#include "webgpu/shader/function_table.h"
#include "webgpu/shader/vec4_dispatch.h"

namespace tenure::webgpu {
namespace {

constexpr std::size_t kLong = 512;
constexpr std::size_t kChunk = 64;
constexpr std::size_t kMaxParts = 256;

class ArgReducer {
 public:
  ArgReducer(const Tensor& x, const Extents& extents, bool max) : x_(x), e_(extents), max_(max) {}

  void run(Tensor& out) const {
    const std::size_t parts = e_.reduced < kLong ? 1 : std::min(e_.reduced / kChunk, kMaxParts);
    if (parts == 1) return run_parts(1, out);
    Tensor indices =
        Tensor::deferred({{static_cast<std::int32_t>(e_.outer * parts * e_.inner)}, DType::kInt32});
    run_parts(parts, indices);
    run_candidates(indices, parts, out);
  }

 private:
  /// Declares X, the type of x in units, and functions of it.
  void add_input(Vec4Dispatch& dispatch, bool candidates) const {
    const bool is_float = x_.dtype() == DType::kFloat32;
    const bool whole = dispatch.whole();
    dispatch.units("x", x_)
        .constant("MAX", max_)
        .constant("CANDIDATES", candidates)
        .declare(is_float ? kFloatAliases : kIntAliases)
        .declare(whole ? "alias X=V;alias Flags=vec4<bool>;fn is_nan_unit(x:X)->Flags{return is_nan_(x);}"
                       : "alias X=E;alias Flags=bool;fn is_nan_unit(x:X)->Flags{return is_nan_(V(x)).x;}");
  }

  void run_parts(std::size_t parts, Tensor& out) const {
    Vec4Dispatch dispatch("arg_reduce", e_.inner % 4 == 0);
    add_input(dispatch, false);
    dispatch.declare("fn candidate(k:i32,q:i32,column:i32)->i32{return k;}")
        .set("reduced", static_cast<int>(e_.reduced))
        .set("inner", dispatch.count(e_.inner))
        .set("parts", static_cast<int>(parts))
        .set("chunk", static_cast<int>((e_.reduced + parts - 1) / parts));
    dispatch.run(out, wgsl::kArgReduce);
  }

  void run_candidates(const Tensor& indices, std::size_t parts, Tensor& out) const {
    Vec4Dispatch dispatch("arg_reduce", false);
    add_input(dispatch, true);
    dispatch.input("indices", indices)
        .declare(
            "fn candidate(k:i32,q:i32,column:i32)->i32{"
            "return indices[(q*params.reduced+k)*params.inner+column];}")
        .set("reduced", static_cast<int>(parts))
        .set("inner", static_cast<int>(e_.inner))
        .set("parts", 1)
        .set("chunk", static_cast<int>(e_.reduced));
    dispatch.run(out, wgsl::kArgReduce);
  }

  const Tensor& x_;
  Extents e_;
  bool max_;
};

void arg_reduce(Op op, const KernelArgs& args) {
  const Tensor& x = args.in[0];
  if (x.elements() == 0) return fall_back_to_cpu(op, args);
  const int axis = normalize_axis(args.attrs.as<ArgReduceAttrs>().axis, x.rank());
  const Extents extents{x.shape().elements(0, axis), static_cast<std::size_t>(x.dim(axis)),
                        x.shape().elements(axis + 1, x.rank())};
  ArgReducer(x, extents, op == Op::arg_max).run(args.out);
}

}  // namespace

void arg_max(const KernelArgs& args) { arg_reduce(Op::arg_max, args); }
void arg_min(const KernelArgs& args) { arg_reduce(Op::arg_min, args); }

}  // namespace tenure::webgpu
