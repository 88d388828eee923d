#include "shape_util/reduce.h"
#include "core/run/dispatch.h"
#include "core/text.h"
#include "gl/kernels.h"
#include "gl/kernels/elementwise.h"
#include "gl/shader/kernel.h"
#include "shape_util/reduction_plan.h"

namespace tenure::gl {
namespace {

/// A reduction op.
struct Reduction {
  Op combine;              ///< binary op whose expression combines two values
  std::string_view first;  ///< identity element of `combine`
  float divisor = 1;
};

constexpr std::string_view kFinish = R"(
  #if DIVIDE
  uniform float divisor;
  #define FINISH(r) (r) / divisor
  #else
  #define FINISH(r) r
  #endif
)"_glsl;

// Columns of whole texels: x is [outer, elements], read as lines of `width` texels, and the output is [outer,
// parts, width] with `chunk` lines in a part. RAGGED: the last line is partial, and is completed with the
// identity element.
constexpr std::string_view kColumns = R"(
  uniform int lines, width, parts, chunk, elements;

  T4 texel(int i) {
    int part = idiv(i, width),
        column = i - part * width,
        o = idiv(part, parts);
    part -= o * parts;
    int end = (part + 1) * chunk < lines ? (part + 1) * chunk : lines,
        n = end - part * chunk;
    int start = o * (elements >> 2) + column, p = start + part * chunk * width;
    T4 r = T4(FIRST);
  #if RAGGED
    if (n > 0 && end == lines) {
      --n;
      int e = ((lines - 1) * width + column) * 4;
      r = select(lessThan(e + ivec4(0, 1, 2, 3), ivec4(elements)), T4(x4(start + (lines - 1) * width)), r);
    }
  #endif
    int k = 0;
    for (; k + 4 <= n; k += 4, p += 4 * width)
      r = combine(r, combine(combine(T4(x4(p)), T4(x4(p + width))),
                             combine(T4(x4(p + 2 * width)), T4(x4(p + 3 * width)))));
    for (; k < n; ++k, p += width) r = combine(r, T4(x4(p)));
    return FINISH(r);
  }
)"_glsl;

// Each output from its own row. The first and last texels of a row are masked unless rows are whole texels.
constexpr std::string_view kRows = R"(
  uniform int reduced;

  T element(int e) {
    int first = e * reduced, end = first + reduced;
    T4 r = T4(FIRST);
  #if WHOLE
    for (int i = first >> 2; i < (end >> 2); ++i) r = combine(r, T4(x4(i)));
  #else
    for (int i = first >> 2; i <= (end - 1) >> 2; ++i) {
      ivec4 at = i * 4 + ivec4(0, 1, 2, 3);
      T4 x = select(lessThan(at, ivec4(end)), T4(x4(i)), T4(FIRST));
      r = combine(r, select(lessThan(at, ivec4(first)), T4(FIRST), x));
    }
  #endif
    r = combine(r, r.zwxy);
    r = combine(r, r.yxwz);
    return FINISH(r.x);
  }
)"_glsl;

constexpr std::string_view kStrided = R"(
  uniform int reduced, inner;

  T element(int e) {
    int o = idiv(e, inner), p = o * reduced * inner + e - o * inner;
    T4 r = T4(FIRST);
    for (int k = 0; k < reduced; ++k, p += inner) r = combine(r, T4(x1(p)));
    return FINISH(r.x);
  }
)"_glsl;

/// Runs the passes of one reduction.
class Reducer {
 public:
  Reducer(const Reduction& reduction, DType dtype) : reduction_(reduction), dtype_(dtype) {}

  /// Reduces in[o, :, i] to out[o, i]. `last` also divides by the divisor.
  void run(const Tensor& in, const Extents& e, bool last, Tensor& out) const {
    const ReductionPlan plan(e);
    if (plan.kind == ReductionPlan::kColumns && plan.parts * plan.folds == 1) {
      return draw_columns(in, e, plan, last, out);
    }
    if (plan.kind == ReductionPlan::kColumns) {
      const std::size_t left = plan.parts * plan.folds;
      Tensor partial = Tensor::deferred({{static_cast<std::int32_t>(e.outer * left * e.inner)}, dtype_});
      draw_columns(in, e, plan, false, partial);
      return run(partial, {e.outer, left, e.inner}, last, out);
    }
    Pass pass = pass_for("reduce_", in, last);
    pass.set("reduced", static_cast<int>(e.reduced));
    if (plan.kind == ReductionPlan::kRows) {
      pass.variant("WHOLE", e.reduced % 4 == 0).elements(out, {kFinish, combine_source(), kRows});
    } else {
      pass.variant("ANYWHERE", 1)
          .set("inner", static_cast<int>(e.inner))
          .elements(out, {kFinish, combine_source(), kStrided});
    }
  }

 private:
  std::string combine_source() const {
    return substitute("T4 combine(T4 x, T4 y) { return EXPRESSION; }\n"_glsl,
                      {{"EXPRESSION", get_expression(reduction_.combine).text}});
  }

  Pass pass_for(std::string_view name, const Tensor& in, bool last) const {
    const bool divides = last && reduction_.divisor != 1;
    Pass pass(text(name, op_def(reduction_.combine).name));
    pass.variant("V", "T4").variant("FIRST", reduction_.first).variant("DIVIDE", divides).input("x", in);
    if (divides) pass.set("divisor", reduction_.divisor);
    return pass;
  }

  void draw_columns(const Tensor& in, const Extents& e, const ReductionPlan& plan, bool last,
                    Tensor& out) const {
    const std::size_t width = plan.folds * e.inner;
    const std::size_t lines = (e.reduced + plan.folds - 1) / plan.folds;
    const bool ragged = e.reduced % plan.folds != 0;
    Pass pass = pass_for("reduce_columns_", in, last);
    pass.variant("RAGGED", ragged)
        .set("lines", static_cast<int>(lines))
        .set("width", static_cast<int>(width / 4))
        .set("parts", static_cast<int>(plan.parts))
        .set("chunk", static_cast<int>((lines + plan.parts - 1) / plan.parts))
        .set("elements", static_cast<int>(e.reduced * e.inner));
    pass.texels(out, {kFinish, combine_source(), kColumns});
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

void sum(const KernelArgs& args) { reduce(Op::sum, args, {Op::add, "0"}); }

void mean(const KernelArgs& args) {
  const auto divisor = static_cast<float>(args.in[0].elements()) / static_cast<float>(args.out.elements());
  reduce(Op::mean, args, {Op::add, "0", divisor});
}

void prod(const KernelArgs& args) { reduce(Op::prod, args, {Op::mul, "1"}); }

void max(const KernelArgs& args) {
  reduce(Op::max, args, {Op::maximum, is_float(args) ? "-kInfinity" : "(-2147483647-1)"});
}

void min(const KernelArgs& args) {
  reduce(Op::min, args, {Op::minimum, is_float(args) ? "kInfinity" : "2147483647"});
}

void any(const KernelArgs& args) { reduce(Op::any, args, {Op::maximum, "0"}); }
void all(const KernelArgs& args) { reduce(Op::all, args, {Op::minimum, "1"}); }

}  // namespace tenure::gl
