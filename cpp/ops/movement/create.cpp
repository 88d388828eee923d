#include "ops/autodiff/gradient.h"
#include "ops/dtypes.h"
#include "ops/infer.h"
#include "ops/ops.h"

namespace tenure::infer {

TensorSpec fill(Inputs, const FillAttrs& attrs) {
  check_kernel_dtype(attrs.dtype, types::kNonString);
  return {Shape(attrs.shape), attrs.dtype};
}

TensorSpec fill_like(Inputs in, const FillLikeAttrs&) { return in[0].spec(); }

TensorSpec range(Inputs, const RangeAttrs& attrs) {
  check_kernel_dtype(attrs.dtype);
  check(attrs.dtype != DType::kBool, "expected a dtype of int32 or float32, got bool");
  check(attrs.count >= 0, "expected a count of values, got ", attrs.count);
  return {{attrs.count}, attrs.dtype};
}

TensorSpec linspace(Inputs, const LinspaceAttrs& attrs) {
  check(attrs.count > 0, "The number of values should be positive.");
  return {{attrs.count}, DType::kFloat32};
}

TensorSpec eye(Inputs, const EyeAttrs& attrs) {
  check_kernel_dtype(attrs.dtype, types::kNonString);
  return {{attrs.rows, attrs.columns}, attrs.dtype};
}

TensorSpec diag(Inputs in, const NoneAttrs&) {
  Shape shape = in[0].shape();
  check_shape(2 * shape.rank <= kMaxRank, "expected at most ", kMaxRank / 2, " dimensions, got ", shape);
  for (const std::int32_t extent : in[0].shape()) shape.push_back(extent);
  return {shape, in[0].dtype()};
}

TensorSpec one_hot(Inputs in, const OneHotAttrs& attrs) {
  check_kernel_dtype(attrs.dtype, types::kNonString);
  check(attrs.depth >= 2, "Error in oneHot: depth must be >=2, but it is ", attrs.depth);
  Shape shape = in[0].shape();
  shape.push_back(attrs.depth);
  return {shape, attrs.dtype};
}

}  // namespace tenure::infer

namespace tenure::grad {

Tensors diag(const GradientArgs& args, const NoneAttrs&) {
  const Shape& shape = args.in[0].shape();
  const auto count = static_cast<std::int32_t>(shape.elements());
  const Tensor row = reshape(args.g, {{count * count}});
  return {
      reshape(strided_slice(row, {.begin = {0}, .end = {count * count}, .strides = {count + 1}}), {shape})};
}

}  // namespace tenure::grad
