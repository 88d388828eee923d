#include "core/error.h"
#include "ops/autodiff/backward.h"
#include "ops/autodiff/gradient.h"
#include "ops/infer.h"
#include "ops/movement/slice.h"
#include "ops/ops.h"

namespace tenure {
namespace {

Shape without_axes(const Shape& shape, const Dims& sorted_axes, bool keep_dims) {
  Shape result = shape;
  for (int i = sorted_axes.size() - 1; i >= 0; --i) {
    if (keep_dims) {
      result[sorted_axes[i]] = 1;
    } else {
      result.erase(sorted_axes[i]);
    }
  }
  return result;
}

TensorSpec reduced(const Tensor& x, const ReduceAttrs& attrs, DType dtype) {
  return {without_axes(x.shape(), normalize_axes(attrs.axes, x.rank()), attrs.keep_dims != 0), dtype};
}

// Sums and products of bools are int32.
DType promote_bool(const Tensor& x) { return x.dtype() == DType::kBool ? DType::kInt32 : x.dtype(); }

TensorSpec arg_reduced(const Tensor& x, const ArgReduceAttrs& attrs) {
  return {without_axes(x.shape(), {normalize_axis(attrs.axis, x.rank())}, false), DType::kInt32};
}

}  // namespace

namespace infer {

TensorSpec sum(Inputs in, const ReduceAttrs& attrs) { return reduced(in[0], attrs, promote_bool(in[0])); }
TensorSpec prod(Inputs in, const ReduceAttrs& attrs) { return reduced(in[0], attrs, promote_bool(in[0])); }
TensorSpec max(Inputs in, const ReduceAttrs& attrs) { return reduced(in[0], attrs, in[0].dtype()); }
TensorSpec min(Inputs in, const ReduceAttrs& attrs) { return reduced(in[0], attrs, in[0].dtype()); }
TensorSpec mean(Inputs in, const ReduceAttrs& attrs) { return reduced(in[0], attrs, DType::kFloat32); }
TensorSpec any(Inputs in, const ReduceAttrs& attrs) { return reduced(in[0], attrs, DType::kBool); }
TensorSpec all(Inputs in, const ReduceAttrs& attrs) { return reduced(in[0], attrs, DType::kBool); }
TensorSpec arg_max(Inputs in, const ArgReduceAttrs& attrs) { return arg_reduced(in[0], attrs); }
TensorSpec arg_min(Inputs in, const ArgReduceAttrs& attrs) { return arg_reduced(in[0], attrs); }

}  // namespace infer

namespace composed {

Tensors moments(const Tensor& x, const ReduceAttrs& attrs) {
  const Tensor average = mean(x, {attrs.axes, true});
  const Tensor variance = mean(squared_difference(cast(x, {DType::kFloat32}), average), attrs);
  return {reshape(average, {variance.shape()}), variance};
}

// With the maximum subtracted, no exponential overflows.
Tensor log_sum_exp(const Tensor& x, const ReduceAttrs& attrs) {
  const Tensor largest = max(x, {attrs.axes, true});
  const Tensor total = log(sum(exp(sub(x, largest)), attrs));
  return add(reshape(largest, {total.shape()}), total);
}

Tensor add_n(Inputs tensors, const NoneAttrs&) {
  check(tensors.size() > 0, "expected tensors to add, got none");
  for (int i = 1; i < tensors.size(); ++i) {
    check(tensors[i].dtype() == tensors[0].dtype(),
          "All tensors passed to tf.addN() must have the same dtype");
    check_shape(tensors[i].shape() == tensors[0].shape(),
                "All tensors passed to tf.addN() must have the same shape");
  }
  Tensor total = identity(tensors[0]);
  for (int i = 1; i < tensors.size(); ++i) total = add(total, tensors[i]);
  return total;
}

}  // namespace composed

namespace grad {
namespace {

/// Returns the shape of x with the reduced extents set to 1.
Shape keepdims_shape(const Shape& x, const ReduceAttrs& attrs) {
  return without_axes(x, normalize_axes(attrs.axes, x.rank), true);
}

Tensor expand(const Tensor& g, const Shape& x, const ReduceAttrs& attrs) {
  const Shape from = keepdims_shape(x, attrs);
  TileAttrs copies;
  for (int i = 0; i < x.rank; ++i) copies.reps.push_back(from[i] == x[i] ? 1 : x[i]);
  return tile(reshape(g, {from}), copies);
}

// Every position that equals the extreme gets the whole gradient, as in TensorFlow.js.
Tensor grad_to_argmax(const GradientArgs& args, const ReduceAttrs& attrs) {
  const Shape shape = keepdims_shape(args.in[0].shape(), attrs);
  return mul(reshape(args.g, {shape}), equal(args.in[0], reshape(args.out, {shape})));
}

/// Returns the product of the rows of a matrix, multiplied pairwise as a tree, whose gradient needs no
/// division.
Tensor product_of_rows(const Tensor& matrix) {
  Tensor rows = matrix;
  while (rows.dim(0) > 1) {
    const std::int32_t half = rows.dim(0) / 2;
    Tensor products = mul(slice_axis(rows, 0, 0, half), slice_axis(rows, 0, half, half));
    if (rows.dim(0) % 2 == 1) products = tenure::concat({products, slice_axis(rows, 0, 2 * half, 1)});
    rows = products;
  }
  return rows;
}

}  // namespace

Tensors sum(const GradientArgs& args, const ReduceAttrs& attrs) {
  return {expand(args.g, args.in[0].shape(), attrs)};
}

Tensors mean(const GradientArgs& args, const ReduceAttrs& attrs) {
  const Shape& x = args.in[0].shape();
  const auto count = static_cast<float>(x.elements()) / static_cast<float>(args.g.elements());
  return {expand(div(args.g, Tensor::scalar(count)), x, attrs)};
}

Tensors max(const GradientArgs& args, const ReduceAttrs& attrs) { return {grad_to_argmax(args, attrs)}; }
Tensors min(const GradientArgs& args, const ReduceAttrs& attrs) { return {grad_to_argmax(args, attrs)}; }

Tensors prod(const GradientArgs& args, const ReduceAttrs& attrs) {
  const Tensor& x = args.in[0];
  if (x.elements() == 0) return {fill({.shape = x.shape()})};
  PermutationAttrs reduced_first{normalize_axes(attrs.axes, x.rank())};
  for (int i = 0; i < x.rank(); ++i) {
    if (!reduced_first.perm.contains(i)) reduced_first.perm.push_back(i);
  }
  const auto columns = static_cast<std::int32_t>(args.g.elements());
  const auto product = [&](const Tensors& xs) {
    return product_of_rows(reshape(transpose(xs[0], reduced_first), {{-1, columns}}));
  };
  return value_and_gradients(product, {x}, reshape(args.g, {{1, columns}})).gradients;
}

}  // namespace grad
}  // namespace tenure
