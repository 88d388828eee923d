#include "core/error.h"
#include "ops/infer.h"
#include "ops/ops.h"

namespace tenure {
namespace {

void check_numeric(const Tensor& x) {
  check(x.dtype() != DType::kString && x.dtype() != DType::kComplex64, "has no kernel for ",
        name_of(x.dtype()));
}

void check_bool(const Tensor& x, const char* op) {
  check(x.dtype() == DType::kBool, "Argument 'x' passed to '", op, "' must be bool tensor, but got ",
        name_of(x.dtype()), " tensor");
}

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
  check_numeric(x);
  return {without_axes(x.shape(), normalize_axes(attrs.axes, x.rank()), attrs.keep_dims != 0), dtype};
}

// A sum or product of bools counts them.
DType at_least_int(const Tensor& x) { return x.dtype() == DType::kBool ? DType::kInt32 : x.dtype(); }

TensorSpec arg_reduced(const Tensor& x, const ArgReduceAttrs& attrs) {
  check_numeric(x);
  return {without_axes(x.shape(), {normalize_axis(attrs.axis, x.rank())}, false), DType::kInt32};
}

}  // namespace

namespace infer {

TensorSpec sum(Inputs in, const ReduceAttrs& attrs) { return reduced(in[0], attrs, at_least_int(in[0])); }
TensorSpec prod(Inputs in, const ReduceAttrs& attrs) { return reduced(in[0], attrs, at_least_int(in[0])); }
TensorSpec max(Inputs in, const ReduceAttrs& attrs) { return reduced(in[0], attrs, in[0].dtype()); }
TensorSpec min(Inputs in, const ReduceAttrs& attrs) { return reduced(in[0], attrs, in[0].dtype()); }
TensorSpec mean(Inputs in, const ReduceAttrs& attrs) { return reduced(in[0], attrs, DType::kFloat32); }
TensorSpec any(Inputs in, const ReduceAttrs& attrs) {
  check_bool(in[0], "any");
  return reduced(in[0], attrs, DType::kBool);
}
TensorSpec all(Inputs in, const ReduceAttrs& attrs) {
  check_bool(in[0], "all");
  return reduced(in[0], attrs, DType::kBool);
}
TensorSpec arg_max(Inputs in, const ArgReduceAttrs& attrs) { return arg_reduced(in[0], attrs); }
TensorSpec arg_min(Inputs in, const ArgReduceAttrs& attrs) { return arg_reduced(in[0], attrs); }

}  // namespace infer
}  // namespace tenure
