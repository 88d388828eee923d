#include <string>

#include "core/error.h"
#include "ops/infer.h"
#include "ops/ops.h"

namespace tenure::composed {
namespace {

[[noreturn]] void fail_order(const NormAttrs& attrs) {
  constexpr std::string_view names[] = {"euclidean", "fro", "p", "Infinity", "-Infinity"};
  fail("invalid ord value: ",
       attrs.order == NormOrder::kP ? text(attrs.p) : std::string(names[static_cast<int>(attrs.order)]));
}

Tensor vector_norm(const Tensor& x, const NormAttrs& attrs, const ReduceAttrs& over) {
  const Tensor magnitude = abs(x);
  switch (attrs.order) {
    case NormOrder::kInfinity: return max(magnitude, over);
    case NormOrder::kMinusInfinity: return min(magnitude, over);
    case NormOrder::kFrobenius: fail_order(attrs);
    case NormOrder::kEuclidean: break;
    case NormOrder::kP:
      if (attrs.p == 1) return sum(magnitude, over);
      if (attrs.p == 2) break;
      if (!(attrs.p > 0)) fail_order(attrs);
      return pow(sum(pow(magnitude, Tensor::scalar(attrs.p)), over), Tensor::scalar(1 / attrs.p));
  }
  return sqrt(sum(square(x), over));
}

// `rows` and `columns` are the two axes, in the order of attrs.axes.
Tensor matrix_norm(const Tensor& x, const NormAttrs& attrs, int rows, int columns) {
  const auto sums = [&](int axis) { return sum(abs(x), {.axes = {axis}, .keep_dims = true}); };
  const ReduceAttrs over_rows{.axes = {rows}, .keep_dims = true};
  switch (attrs.order) {
    case NormOrder::kInfinity: return max(sums(columns), over_rows);
    case NormOrder::kMinusInfinity: return min(sums(columns), over_rows);
    case NormOrder::kP:
      if (attrs.p != 1) fail_order(attrs);
      return max(sums(rows), {.axes = {columns}, .keep_dims = true});
    case NormOrder::kEuclidean:
    case NormOrder::kFrobenius: break;
  }
  return sqrt(sum(square(x), {.axes = {rows, columns}, .keep_dims = true}));
}

}  // namespace

Tensor norm(const Tensor& x, const NormAttrs& attrs) {
  if (x.rank() == 0) return abs(x);
  check(attrs.axes.size() <= 2, "invalid axis: ", attrs.axes);
  if (attrs.axes.size() < 2) {
    return vector_norm(x, attrs, {.axes = attrs.axes, .keep_dims = attrs.keep_dims});
  }
  const int rows = normalize_axis(attrs.axes[0], x.rank());
  const int columns = normalize_axis(attrs.axes[1], x.rank());
  check(rows != columns, "invalid axis: ", attrs.axes);
  const Tensor kept = matrix_norm(x, attrs, rows, columns);
  return attrs.keep_dims ? kept : squeeze(kept, {.axes = {rows, columns}});
}

}  // namespace tenure::composed
