#include "ops/dtypes.h"
#include "ops/infer.h"

namespace tenure::infer {
namespace {

TensorSpec normal(const RandomAttrs& attrs) {
  check_kernel_dtype(attrs.dtype);
  check(attrs.dtype != DType::kBool, "Unsupported data type bool");
  return {Shape(attrs.shape), attrs.dtype};
}

}  // namespace

TensorSpec random_uniform(Inputs, const RandomAttrs& attrs) {
  check_kernel_dtype(attrs.dtype);
  return {Shape(attrs.shape), attrs.dtype};
}

TensorSpec random_normal(Inputs, const RandomAttrs& attrs) { return normal(attrs); }

TensorSpec truncated_normal(Inputs, const RandomAttrs& attrs) { return normal(attrs); }

}  // namespace tenure::infer
