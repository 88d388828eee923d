#include "shape_util/reduce.h"
#include "core/run/dispatch.h"
#include "core/text.h"
#include "shape_util/reduction_plan.h"
#include "webgpu/elementwise/elementwise.h"
#include "webgpu/kernels.h"
#include "webgpu/matmul/matmul_conv.h"
#include "webgpu/reduce/reduce_columns.wgsl.h"
#include "webgpu/reduce/reduce_rows.wgsl.h"
#include "webgpu/reduce/reduce_strided.wgsl.h"
#include "webgpu/shader/function_table.h"

namespace tenure::webgpu {
namespace {

/// Number of elements of a row from which a subgroup reduces it: a vector for each of 32 lanes.
constexpr std::size_t kMinSubgroupElements = 128;

/// A reduction op.
struct Reduction {
  Op combine;                    ///< binary op whose expression combines two values
  std::string_view first;        ///< WGSL of the identity element of `combine`
  std::string_view across = "";  ///< WGSL's `combine` of a subgroup; empty for none that treats NaN alike
  float divisor = 1;
};

/// Dispatches the steps of one reduction.
class Reducer {
 public:
  Reducer(const Reduction& reduction, DType dtype) : reduction_(reduction), dtype_(dtype) {}

  /// Reduces in[o, :, i] to out[o, i]. `last` also divides by the divisor.
  void run(const Tensor& in, const Extents& e, bool last, Tensor& out) const {
    const ReductionPlan plan(e);
    if (plan.kind == ReductionPlan::kColumns && plan.parts * plan.folds == 1) {
      return run_columns(in, e, plan, last, out);
    }
    if (plan.kind == ReductionPlan::kColumns) {
      const std::size_t left = plan.parts * plan.folds;
      Tensor partial = Tensor::deferred({{static_cast<std::int32_t>(e.outer * left * e.inner)}, dtype_});
      run_columns(in, e, plan, false, partial);
      return run(partial, {e.outer, left, e.inner}, last, out);
    }
    if (plan.kind == ReductionPlan::kRows) {
      run_rows(in, e.reduced, last, out);
    } else {
      Dispatch dispatch = make_dispatch("reduce_strided_", last);
      dispatch.input("x", in)
          .set("reduced", static_cast<int>(e.reduced))
          .set("inner", static_cast<int>(e.inner))
          .elements(out, wgsl::kReduceStrided);
    }
  }

 private:
  Dispatch make_dispatch(std::string_view name, bool last) const {
    Dispatch dispatch(text(name, op_def(reduction_.combine).name));
    dispatch.declare(dtype_ == DType::kFloat32 ? kFloatAliases : kIntAliases)
        .declare(text("fn first()->V{return V(", reduction_.first, ");}"))
        .declare(text("fn combine(x:V,y:V)->V{return ", to_wgsl(get_expression(reduction_.combine)), ";}"))
        .constant("DIVIDE", last && reduction_.divisor != 1)
        .set("divisor", reduction_.divisor);
    return dispatch;
  }

  void run_rows(const Tensor& in, std::size_t reduced, bool last, Tensor& out) const {
    Dispatch dispatch = make_dispatch("reduce_rows_", last);
    dispatch.constant("WHOLE", reduced % 4 == 0).input4("x", in).set("reduced", static_cast<int>(reduced));
    if (!reduction_.across.empty() && reduced >= kMinSubgroupElements && can_use_subgroups()) {
      dispatch.declare(text("fn across(x:V)->V{return ", reduction_.across, "(x);}"));
      return dispatch.subgroups(out, out.elements(), wgsl::kReduceRows);
    }
    dispatch.declare("fn across(x:V)->V{return x;}");
    dispatch.elements(out, {wgsl::kReduceRows, "fn run(i:i32){run_lane(i,0,1);}"});
  }

  void run_columns(const Tensor& in, const Extents& e, const ReductionPlan& plan, bool last,
                   Tensor& out) const {
    const std::size_t width = plan.folds * e.inner;
    const std::size_t lines = (e.reduced + plan.folds - 1) / plan.folds;
    Dispatch dispatch = make_dispatch("reduce_columns_", last);
    dispatch.constant("RAGGED", e.reduced % plan.folds != 0)
        .input4("x", in)
        .output4()
        .set("lines", static_cast<int>(lines))
        .set("width", static_cast<int>(width / 4))
        .set("parts", static_cast<int>(plan.parts))
        .set("chunk", static_cast<int>((lines + plan.parts - 1) / plan.parts))
        .set("elements", static_cast<int>(e.reduced * e.inner))
        .elements(out, wgsl::kReduceColumns);
  }

  const Reduction& reduction_;
  DType dtype_;
};

/// Reduces the last run first, so that the remaining runs read as little as possible.
void reduce_runs(const Reducer& reducer, const Tensor& in, CollapsedReduction runs, Tensor& out) {
  const Extents e = runs.pop();
  if (!runs.any_reduced()) return reducer.run(in, e, true, out);
  Tensor between = Tensor::deferred({{static_cast<std::int32_t>(e.outer * e.inner)}, out.dtype()});
  reducer.run(in, e, false, between);
  reduce_runs(reducer, between, runs, out);
}

void reduce(Op op, const KernelArgs& args, const Reduction& reduction) {
  const Tensor& x = args.in[0];
  if (x.elements() == 0) return fall_back_to_cpu(op, args);
  const Dims axes = normalize_axes(args.attrs.as<ReduceAttrs>().axes, x.rank());
  reduce_runs(Reducer(reduction, args.out.dtype()), x, CollapsedReduction(x.shape(), axes), args.out);
}

bool is_float(const KernelArgs& args) { return args.out.dtype() == DType::kFloat32; }

}  // namespace

void sum(const KernelArgs& args) { reduce(Op::sum, args, {Op::add, "0", "subgroupAdd"}); }

void mean(const KernelArgs& args) {
  const auto divisor = static_cast<float>(args.in[0].elements()) / static_cast<float>(args.out.elements());
  reduce(Op::mean, args, {Op::add, "0", "subgroupAdd", divisor});
}

void prod(const KernelArgs& args) { reduce(Op::prod, args, {Op::mul, "1", "subgroupMul"}); }

void max(const KernelArgs& args) {
  reduce(Op::max, args, {Op::maximum, is_float(args) ? "-infinity_()" : "-2147483648"});
}

void min(const KernelArgs& args) {
  reduce(Op::min, args, {Op::minimum, is_float(args) ? "infinity_()" : "2147483647"});
}

void any(const KernelArgs& args) { reduce(Op::any, args, {Op::maximum, "0"}); }
void all(const KernelArgs& args) { reduce(Op::all, args, {Op::minimum, "1"}); }

}  // namespace tenure::webgpu
