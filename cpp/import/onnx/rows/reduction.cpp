#include "import/onnx/families.h"
#include "import/onnx/rows/integers.h"

namespace tenure::onnx {
namespace {

struct Reduction {
  Tensor x;
  ReduceAttrs attrs = {};
  bool does_nothing = false;
  bool is_checked = false;  ///< x has integers of 64 bits
};

/// Reads axes: an attribute before opset `since`, input 1 from then on.
template <int since>
Reduction read_reduction(const Call& call) {
  Reduction reduction{.x = call[0], .is_checked = has_64_bits(call, 0)};
  reduction.attrs.axes = read_axes(call, 1, since).value_or(Dims());
  reduction.attrs.keep_dims = call.attrs().flag("keepdims", true);
  reduction.does_nothing = reduction.attrs.axes.empty() && call.attrs().flag("noop_with_empty_axes");
  return reduction;
}

Tensor reduce(Op op, const Tensor& x, const Reduction& how) {
  if (how.does_nothing) return x;
  if (how.is_checked && (op == Op::sum || op == Op::prod))
    return reduce_checked(op == Op::sum ? IntegerArithmetic::kSum : IntegerArithmetic::kProduct, x,
                          how.attrs);
  return as_dtype(run(op, {&x}, AttrsView(how.attrs)), x.dtype());
}

template <Op op, int since>
Tensor reduced(const Call& call) {
  const Reduction how = read_reduction<since>(call);
  return reduce(op, how.x, how);
}

/// Returns means. Those of integers are exact, as in onnxruntime.
Tensor averaged(const Call& call) {
  const Reduction how = read_reduction<18>(call);
  if (how.x.dtype() != DType::kInt32 || how.does_nothing) return reduce(Op::mean, how.x, how);
  return mean_checked(how.x, how.attrs);
}

Tensor square(const Reduction& how) {
  if (!how.is_checked) return square(how.x);
  return run_arithmetic(Op::mul, how.x, how.x, ElementType::kInt64, ElementType::kInt64);
}

Tensor norm_1(const Call& call) {
  const Reduction how = read_reduction<18>(call);
  return reduce(Op::sum, how.is_checked ? absolute_checked(how.x) : abs(how.x), how);
}
Tensor norm_2(const Call& call) {
  const Reduction how = read_reduction<18>(call);
  if (how.x.dtype() != DType::kInt32) return sqrt(reduce(Op::sum, square(how), how));
  return how.does_nothing ? absolute_checked(how.x) : norm_checked(how.x, how.attrs);
}
Tensor log_of_sum(const Call& call) {
  const Reduction how = read_reduction<18>(call);
  return as_dtype(log(reduce(Op::sum, how.x, how)), how.x.dtype());
}
/// Subtracts the maximum for stability, or 0 if it is infinite, since inf - inf is NaN.
Tensor log_of_exponentials(const Call& call) {
  const Reduction how = read_reduction<18>(call);
  if (how.does_nothing) return how.x;
  const Tensor x = as_dtype(how.x, DType::kFloat32);
  const Tensor largest = max(x, {.axes = how.attrs.axes, .keep_dims = true});
  const Tensor offset = where(is_finite(largest), largest, Tensor::scalar(0.0F));
  const Tensor result = log(sum(exp(sub(x, offset)), how.attrs));
  return from_floats(add(result, reshape(offset, {result.shape()})), how.x.dtype(), element_type(call, 0));
}
Tensor sum_of_squares(const Call& call) {
  const Reduction how = read_reduction<18>(call);
  return reduce(Op::sum, square(how), how);
}

template <Op op>
Tensor position(const Call& call) {
  Tensor x = call[0];
  const int axis = normalize_axis(call.attrs().integer("axis", 0), x.rank());
  const bool takes_last = call.attrs().flag("select_last_index");
  if (takes_last) x = reverse(x, {Dims{axis}});
  Tensor result = run(op, {&x}, AttrsView(ArgReduceAttrs{axis}));
  if (takes_last) result = sub(Tensor::scalar(x.dim(axis) - 1), result);
  return call.attrs().flag("keepdims", true) ? expand_dims(result, {axis}) : result;
}

template <Op op>
Tensor accumulated(const Call& call) {
  const Tensor& x = call[0];
  const CumulateAttrs attrs{call.integer(1), call.attrs().flag("exclusive"), call.attrs().flag("reverse")};
  if (!has_64_bits(call, 0)) return run(op, {&x}, AttrsView(attrs));
  return cumulate_checked(
      op == Op::cumsum ? IntegerArithmetic::kCumulativeSum : IntegerArithmetic::kCumulativeProduct, x, attrs);
}

/// Returns the largest or smallest elements along an axis, and their positions.
EdgeValues extremes(const Call& call) {
  const int rank = call[0].rank();
  const int axis = normalize_axis(call.attrs().integer("axis", -1), rank);
  const std::int32_t k = opset(call) >= 10 ? call.integer(1) : call.attrs().integer("k", 1);
  const bool is_largest = call.attrs().flag("largest", true);
  PermutationAttrs swapped;
  for (int i = 0; i < rank; ++i) swapped.perm.push_back(i);
  std::swap(swapped.perm[axis], swapped.perm.back());
  const auto move = [&](const Tensor& x) { return axis == rank - 1 ? x : transpose(x, swapped); };
  // Integers are reversed by -1 - x, as the lowest has no negative.
  const auto reverse_order = [](const Tensor& x) {
    return x.dtype() == DType::kInt32 ? sub(Tensor::scalar(-1), x) : neg(x);
  };
  Tensor x = move(call[0]);
  if (!is_largest) x = reverse_order(x);
  Tensors found = topk(x, {k});
  if (!is_largest) found[0] = reverse_order(found[0]);
  return {move(found[0]), move(found[1])};
}

constexpr Row kRows[] = {
    {"ArgMax", position<Op::arg_max>},
    {"ArgMin", position<Op::arg_min>},
    {"CumProd", accumulated<Op::cumprod>},
    {"CumSum", accumulated<Op::cumsum>},
    {"ReduceL1", norm_1},
    {"ReduceL2", norm_2},
    {"ReduceLogSum", log_of_sum},
    {"ReduceLogSumExp", log_of_exponentials},
    {"ReduceMax", reduced<Op::max, 18>},
    {"ReduceMean", averaged},
    {"ReduceMin", reduced<Op::min, 18>},
    {"ReduceProd", reduced<Op::prod, 18>},
    {"ReduceSum", reduced<Op::sum, 13>},
    {"ReduceSumSquare", sum_of_squares},
    {"TopK", extremes},
};

}  // namespace

std::span<const Row> reduction_rows() { return kRows; }

}  // namespace tenure::onnx
