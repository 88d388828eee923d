#include "core/memory/transposed_filter.h"

#include "core/attrs.h"
#include "core/memory/memory_tracked.h"
#include "core/run/dispatch.h"
#include "core/run/open_tapes.h"

namespace tenure {
namespace {

Shape transpose_shape(const Shape& from, const Dims& order) {
  Shape shape;
  for (const std::int32_t axis : order) shape.push_back(from[axis]);
  return shape;
}

void transpose_to(const Tensor& x, const Dims& order, void* to) {
  // x may be packed itself, and must stay so.
  const ScopedMaterialization materialized;
  Tensor out(Storage::view(to, x.bytes(), x.storage()), {transpose_shape(x.shape(), order), x.dtype()});
  const PermutationAttrs attrs{order};
  cpu_backend().kernel(Op::transpose)({Inputs({&x}), AttrsView(attrs), out});
}

/// Returns the axes of the weights in the order of a filter's.
Dims filter_order() { return {2, 3, 1, 0}; }

}  // namespace

const char TransposedFilter::kForm = 0;

Tensor TransposedFilter::transpose(const Tensor& weights) {
  const bool is_held = weights.has_data() && !weights.storage()->stays_packed();
  const bool is_read_later = is_held && !usable_backend().is_device() && !open_tapes().recording;
  if (!is_read_later || weights.dtype() != DType::kFloat32) {
    const PermutationAttrs attrs{filter_order()};
    return run(Op::transpose, {&weights}, AttrsView(attrs));
  }
  std::unique_ptr<TransposedFilter> form(new TransposedFilter(weights));
  return Tensor(Storage::packed(weights.bytes(), std::move(form)),
                {transpose_shape(weights.shape(), filter_order()), DType::kFloat32});
}

void TransposedFilter::restore(const Tensor& filter, void* to) { transpose_to(filter, {3, 2, 0, 1}, to); }

void TransposedFilter::unpack(void* to) const { transpose_to(weights_, filter_order(), to); }

void TransposedFilter::add_to(MemoryReport& report, MemoryPart part) const {
  report.add(part, weights_.storage().get());
}

}  // namespace tenure
