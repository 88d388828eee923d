#include "model/executor/operands.h"

#include "ops/ops.h"

namespace tenure::executor {

Tensor as_dtype(const Tensor& x, DType dtype) { return x.dtype() == dtype ? x : cast(x, {dtype}); }
Tensor as_indices(const Tensor& x) { return as_dtype(x, DType::kInt32); }

Tensor scalar_like(const Tensor& x, double value) {
  if (x.dtype() == DType::kInt32) return Tensor::scalar(static_cast<std::int32_t>(value));
  return Tensor::scalar(static_cast<float>(value));
}

void read_pads(const Call& call, Dims& before, Dims& after) {
  const std::vector<std::int32_t> pads = call.integers(1);
  check_shape(pads.size() == 2 * static_cast<std::size_t>(call[0].rank()), "expected 2 pads for each of ",
              call[0].rank(), " dimensions, got ", pads.size(), " in all");
  for (std::size_t i = 0; i < pads.size(); i += 2) {
    before.push_back(pads[i]);
    after.push_back(pads[i + 1]);
  }
}

EdgeValues to_edge_values(Tensors tensors) {
  EdgeValues items;
  for (Tensor& tensor : tensors) items.emplace_back(std::move(tensor));
  return items;
}

}  // namespace tenure::executor
