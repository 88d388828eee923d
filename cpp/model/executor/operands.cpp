#include "model/executor/operands.h"

#include "ops/ops.h"

namespace tenure::executor {

Tensor as_dtype(const Tensor& x, DType dtype) { return x.dtype() == dtype ? x : cast(x, {dtype}); }
Tensor as_indices(const Tensor& x) { return as_dtype(x, DType::kInt32); }

Tensor scalar_like(const Tensor& x, double value) {
  if (x.dtype() == DType::kInt32) return Tensor::scalar(static_cast<std::int32_t>(value));
  return Tensor::scalar(static_cast<float>(value));
}

Tensor zero_like(const Tensor& x) {
  return x.dtype() == DType::kBool ? fill({.shape = {}, .dtype = DType::kBool}) : scalar_like(x, 0);
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

BlocksAttrs read_blocks(const Call& call) {
  BlocksAttrs attrs{.block = call.dims(1)};
  const std::vector<std::int32_t> pads = call.integers(2);
  check_shape(pads.size() == 2 * static_cast<std::size_t>(attrs.block.rank),
              "expected 2 numbers for each of ", attrs.block.rank, " dimensions, got ", pads.size(),
              " in all");
  for (std::size_t i = 0; i < pads.size(); i += 2) {
    attrs.before.push_back(pads[i]);
    attrs.after.push_back(pads[i + 1]);
  }
  return attrs;
}

EdgeValues to_edge_values(Tensors tensors) {
  EdgeValues items;
  for (Tensor& tensor : tensors) items.emplace_back(std::move(tensor));
  return items;
}
EdgeValues to_edge_values(std::span<const Tensor> tensors) { return {tensors.begin(), tensors.end()}; }

}  // namespace tenure::executor
