// Cumulative sums and products.
#include "core/error.h"
#include "ops/autodiff/gradient.h"
#include "ops/infer.h"
#include "ops/ops.h"

namespace tenure::infer {
namespace {

TensorSpec cumulated(const Tensor& x, const CumulateAttrs& attrs) {
  normalize_axis(attrs.axis, x.rank());
  return {x.shape(), upcast(x.dtype(), DType::kInt32)};
}

}  // namespace

TensorSpec cumsum(Inputs in, const CumulateAttrs& attrs) { return cumulated(in[0], attrs); }
TensorSpec cumprod(Inputs in, const CumulateAttrs& attrs) { return cumulated(in[0], attrs); }

}  // namespace tenure::infer

namespace tenure::grad {

Tensors cumsum(const GradientArgs& args, const CumulateAttrs& attrs) {
  CumulateAttrs back = attrs;
  back.reverse = attrs.reverse == 0;
  return {cumsum(args.g, back)};
}

// Let B[j] be the product of the elements before j, and s[j] = g[j] + x[j+1] s[j+1] the gradient that flows
// back from the elements after j. Then the gradient is B s. It is right where x is 0, unlike the quotient
// cumsum(y g) / x. It is computed one slice at a time, so that it consists of ops.
Tensors cumprod(const GradientArgs& args, const CumulateAttrs& attrs) {
  const Tensor x = cast(args.in[0], {DType::kFloat32});
  const int axis = normalize_axis(attrs.axis, x.rank());
  const std::int32_t extent = x.dim(axis);
  if (x.elements() == 0) return {fill({.shape = x.shape()})};
  const bool reverse = attrs.reverse != 0;
  const auto slice_at = [&](const Tensor& from, std::int32_t i) {
    SliceAttrs one;
    for (int d = 0; d < from.rank(); ++d) {
      one.begin.push_back(d == axis ? (reverse ? extent - 1 - i : i) : 0);
      one.size.push_back(d == axis ? 1 : from.dim(d));
    }
    return slice(from, one);
  };
  Tensors slices(static_cast<std::size_t>(extent));
  Tensor behind;
  for (std::int32_t i = extent - 1; i >= 0; --i) {
    const bool is_last = i == extent - 1;
    Tensor here = attrs.exclusive == 0 ? slice_at(args.g, i) : is_last ? Tensor() : slice_at(args.g, i + 1);
    if (!is_last) {
      const Tensor more = mul(slice_at(x, i + 1), behind);
      here = here ? add(here, more) : more;
    }
    if (!here) here = fill({.shape = slice_at(x, i).shape()});
    behind = here;
    slices[static_cast<std::size_t>(reverse ? extent - 1 - i : i)] = here;
  }
  const Tensor before = cumprod(x, {.axis = axis, .exclusive = true, .reverse = attrs.reverse});
  return {mul(before, concat(TensorList(slices), {.axis = axis}))};
}

}  // namespace tenure::grad
