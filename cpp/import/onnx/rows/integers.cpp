#include "import/onnx/rows/integers.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "core/checked_integers.h"
#include "ops/collapsed_extent.h"

namespace tenure::onnx {
namespace {

constexpr IntegerArithmetic to_integer_arithmetic(Op op) {
  switch (op) {
    case Op::add: return IntegerArithmetic::kAdd;
    case Op::sub: return IntegerArithmetic::kSubtract;
    case Op::floor_div: return IntegerArithmetic::kDivide;
    case Op::pow: return IntegerArithmetic::kPower;
    default: return IntegerArithmetic::kMultiply;
  }
}

Tensor reshape_to(const Tensor& x, const Shape& shape) {
  return x.shape() == shape ? x : reshape(x, {shape});
}

Tensor transpose_to(const Tensor& x, const PermutationAttrs& order) {
  return std::is_sorted(order.perm.begin(), order.perm.end()) ? x : transpose(x, order);
}

Tensor swap_axes(const Tensor& x, int a, int b) {
  PermutationAttrs order;
  for (int i = 0; i < x.rank(); ++i) order.perm.push_back(i);
  std::swap(order.perm[a], order.perm[b]);
  return transpose_to(x, order);
}

/// Returns the elements that a reduction combines as the last axis, and the shape of its result.
std::pair<Tensor, Shape> move_reduced_axes_last(const Tensor& x, const ReduceAttrs& attrs) {
  const Dims axes = normalize_axes(attrs.axes, x.rank());
  PermutationAttrs order;
  Shape rows;
  Shape row;
  Shape result;
  for (int i = 0; i < x.rank(); ++i) {
    const bool is_reduced = axes.contains(i);
    if (!is_reduced) order.perm.push_back(i);
    (is_reduced ? row : rows).push_back(x.dim(i));
    if (!is_reduced || attrs.keep_dims != 0) result.push_back(is_reduced ? 1 : x.dim(i));
  }
  for (const std::int32_t axis : axes) order.perm.push_back(axis);
  rows.push_back(collapsed_extent(row));
  return {reshape_to(transpose_to(x, order), rows), result};
}

/// Reduces elements along axes by a function of those that it combines. Throws NeedsValues if x is symbolic.
Tensor compute_rows(const Tensor& x, const ReduceAttrs& attrs,
                    std::int32_t (*compute)(std::span<const std::int32_t>)) {
  const auto [rows, result] = move_reduced_axes_last(x, attrs);
  if (!rows.has_data()) throw NeedsValues();
  Tensor y({result, DType::kInt32});
  const auto extent = static_cast<std::size_t>(rows.shape().back());
  const std::int32_t* from = rows.data<std::int32_t>();
  for (std::int32_t& value : std::span(y.mutable_data<std::int32_t>(), y.elements())) {
    value = compute({from, extent});
    from += extent;
  }
  return y;
}

}  // namespace

Tensor run_arithmetic(Op op, const Tensor& a, const Tensor& b, ElementType type, ElementType other) {
  const bool is_checked = has_64_bits(type) || has_64_bits(other);
  if (a.dtype() != DType::kInt32 || b.dtype() != DType::kInt32 || !is_checked)
    return wrap(run(op, {&a, &b}), type);
  const Shape shape = broadcast(a.shape(), b.shape());
  const auto expand = [&](const Tensor& x) { return x.elements() == 1 ? x : broadcast_to(x, {shape}); };
  return checked_arithmetic(expand(a), expand(b), {.op = to_integer_arithmetic(op)});
}

Tensor divide_toward_zero(const Tensor& a, const Tensor& b, ElementType type, ElementType other) {
  const bool is_checked = has_64_bits(type) || has_64_bits(other);
  const Tensor down = is_checked ? run_arithmetic(Op::floor_div, a, b, type, other) : floor_div(a, b);
  const Tensor is_rounded = logical_and(less(down, Tensor::scalar(0)), not_equal(mul(down, b), a));
  return wrap(add(down, as_dtype(is_rounded, DType::kInt32)), type);
}

Tensor from_floats(const Tensor& x, DType dtype, ElementType type) {
  if (x.dtype() != DType::kFloat32 || dtype != DType::kInt32 || !is_wide(type)) return as_dtype(x, dtype);
  return checked_arithmetic(x, {.op = IntegerArithmetic::kTruncate});
}

bool has_uint32(const Call& call) {
  const std::span<const double> types = call.attrs().numbers(kInputTypes);
  return std::find(types.begin(), types.end(), static_cast<double>(ElementType::kUint32)) != types.end();
}

Tensor absolute_checked(const Tensor& x) {
  return checked_arithmetic(x, sign(x), {.op = IntegerArithmetic::kMultiply});
}

Tensor mean_checked(const Tensor& x, const ReduceAttrs& attrs) {
  if (x.elements() == 0) return sum(x, attrs);
  std::size_t count = 1;
  for (const std::int32_t axis : normalize_axes(attrs.axes, x.rank()))
    count *= static_cast<std::size_t>(x.dim(axis));
  // The largest number of remainders, which are below it, whose sum int32 holds.
  constexpr std::size_t kMaxRemainders = 46341;
  if (count > kMaxRemainders) {
    return compute_rows(x, attrs, [](std::span<const std::int32_t> row) {
      const std::int64_t whole = std::accumulate(row.begin(), row.end(), std::int64_t{0});
      return static_cast<std::int32_t>(whole / static_cast<std::int64_t>(row.size()));
    });
  }
  // The sum may be beyond int32, but not those of quotients and of remainders.
  const Tensor n = Tensor::scalar(static_cast<std::int32_t>(count));
  const Tensor remainders = sum(mod(x, n), attrs);
  const Tensor down = add(sum(floor_div(x, n), attrs), floor_div(remainders, n));
  const Tensor zero = Tensor::scalar(0);
  const Tensor is_rounded = logical_and(less(down, zero), not_equal(mod(remainders, n), zero));
  return add(down, as_dtype(is_rounded, DType::kInt32));
}

Tensor reduce_checked(IntegerArithmetic op, const Tensor& x, const ReduceAttrs& attrs) {
  const auto [rows, result] = move_reduced_axes_last(x, attrs);
  return reshape_to(checked_arithmetic(rows, {.op = op}), result);
}

Tensor norm_checked(const Tensor& x, const ReduceAttrs& attrs) {
  return compute_rows(x, attrs, [](std::span<const std::int32_t> row) {
    double squares = 0;
    for (const std::int32_t value : row) squares += static_cast<double>(value) * value;
    const double root = std::sqrt(squares);
    check(root < 0x1p31, kCannotHold, "the norm of ", row.size(), " elements");
    return static_cast<std::int32_t>(root);
  });
}

Tensor cumulate_checked(IntegerArithmetic op, const Tensor& x, const CumulateAttrs& attrs) {
  const int last = x.rank() - 1;
  const int axis = normalize_axis(attrs.axis, x.rank());
  const auto flip = [&](const Tensor& y) { return attrs.reverse != 0 ? reverse(y, {Dims{last}}) : y; };
  Tensor y = flip(swap_axes(x, axis, last));
  if (attrs.exclusive != 0 && x.dim(axis) > 0) {
    // An element is the sum or product of those before it: they begin with 0 or 1.
    SliceAttrs others;
    PadAttrs first{.value = op == IntegerArithmetic::kCumulativeProduct ? 1.0F : 0.0F};
    for (int i = 0; i <= last; ++i) {
      others.begin.push_back(0);
      others.size.push_back(y.dim(i) - (i == last ? 1 : 0));
      first.before.push_back(i == last ? 1 : 0);
      first.after.push_back(0);
    }
    y = pad(slice(y, others), first);
  }
  return swap_axes(flip(checked_arithmetic(y, {.op = op})), axis, last);
}

Tensor multiply_checked(const Tensor& a, const Tensor& b, const MatMulAttrs& attrs) {
  check_shape(a.rank() >= 2 && b.rank() >= 2, "expected matrices, got ", a.shape(), " and ", b.shape());
  const auto swap_last = [](const Tensor& x) { return swap_axes(x, x.rank() - 2, x.rank() - 1); };
  const Tensor x = attrs.transpose_a != 0 ? swap_last(a) : a;
  const Tensor y = attrs.transpose_b != 0 ? b : swap_last(b);
  const auto get_batch = [](Shape shape) {
    for (int i = 0; i < 2; ++i) shape.erase(shape.rank - 1);
    return shape;
  };
  const Shape batch = broadcast(get_batch(x.shape()), get_batch(y.shape()));
  const auto expand = [&](const Tensor& matrices) {
    Shape shape = batch;
    shape.push_back(matrices.shape().back(1));
    shape.push_back(matrices.shape().back());
    return shape == matrices.shape() ? matrices : broadcast_to(matrices, {shape});
  };
  return checked_arithmetic(expand(x), expand(y), {.op = IntegerArithmetic::kDotProducts});
}

}  // namespace tenure::onnx
