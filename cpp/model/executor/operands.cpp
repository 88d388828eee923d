#include "model/executor/operands.h"

#include "ops/ops.h"

namespace tenure::executor {

Tensor as_dtype(const Tensor& x, DType dtype) { return x.dtype() == dtype ? x : cast(x, {dtype}); }
Tensor as_indices(const Tensor& x) { return as_dtype(x, DType::kInt32); }

Tensor scalar_like(const Tensor& x, double value) {
  if (x.dtype() == DType::kInt32) return Tensor::scalar(static_cast<std::int32_t>(value));
  return Tensor::scalar(static_cast<float>(value));
}

EdgeValues to_edge_values(Tensors tensors) {
  EdgeValues items;
  for (Tensor& tensor : tensors) items.emplace_back(std::move(tensor));
  return items;
}

}  // namespace tenure::executor
