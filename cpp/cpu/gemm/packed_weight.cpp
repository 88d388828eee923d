#include "cpu/gemm/packed_weight.h"

#include "core/interruption.h"
#include "core/memory/allocator.h"
#include "core/memory/memory_tracked.h"
#include "core/memory/scaled_weight.h"
#include "core/memory/transposed_filter.h"

namespace tenure::cpu {

const char PackedWeightData::kForm = 0;

PackedWeight PackedWeightData::prepare(const Tensor& weight, int columns, bool transposed) {
  if (const auto* scaled = weight.storage()->packed_as<ScaledWeight>())
    return {get_panels(scaled->weight(), columns, transposed), scaled->scale()};
  gemm::PackedB panels = get_panels(weight, columns, transposed);
  const bool fits_one_k_block = gemm::fits_one_k_block(panels.rows(), gemm::kNR);
  return {std::move(panels), {}, fits_one_k_block};
}

const gemm::PackedB* PackedWeightData::find_panels(const Tensor& weight, int columns, bool transposed) {
  const auto* filter = weight.storage()->packed_as<TransposedFilter>();
  const Tensor& held = filter ? filter->weights() : weight;
  const auto* known = held.storage()->packed_as<PackedWeightData>();
  const bool is_match = known && known->transposed_ == transposed && known->panels_.columns() == columns &&
                        known->filter_.empty() == !filter;
  return is_match ? &known->panels_ : nullptr;
}

gemm::PackedB PackedWeightData::get_panels(const Tensor& weight, int columns, bool transposed) {
  const auto rows = static_cast<int>(weight.elements() / static_cast<std::size_t>(columns));
  if (const gemm::PackedB* known = find_panels(weight, columns, transposed)) return *known;
  const auto* filter = weight.storage()->packed_as<TransposedFilter>();
  const Shape filter_shape = filter ? weight.shape() : Shape();
  const Tensor held = filter ? filter->weights() : weight;
  const auto step = static_cast<std::size_t>(transposed ? rows : columns);
  gemm::PackedB panels = gemm::pack(weight.data<float>(), rows, columns, step, transposed);
  if (!filter_shape.empty()) weight.storage()->evict();
  Storage& storage = *held.storage().get();
  if (!storage.can_replace_layout() || storage.bytes() != held.bytes()) return panels;
  std::unique_ptr<PackedWeightData> form(new PackedWeightData(panels, transposed, filter_shape));
  PackedWeightData& packed = *form;
  // Other tensors read this storage: it must not be left between two forms.
  const interruption::CriticalSection weight_in_two_forms;
  StoragePtr replaced = storage.replace_layout(std::move(form));
  if (panels.fits_in_place()) packed.panels_.move_to(std::move(replaced));
  return packed.panels_;
}

void PackedWeightData::unpack(void* to) const {
  if (!filter_.empty()) {
    Tensor filter({filter_, DType::kFloat32});
    panels_.unpack(filter.mutable_data<float>(), static_cast<std::size_t>(panels_.columns()), false);
    return TransposedFilter::restore(filter, to);
  }
  panels_.unpack(static_cast<float*>(to),
                 static_cast<std::size_t>(transposed_ ? panels_.rows() : panels_.columns()), transposed_);
}

std::size_t PackedWeightData::bytes() const {
  // Shared panels are counted by the kernel that uses them.
  const bool is_shared = panels_.storage()->references() > 1;
  return is_shared ? 0 : allocated_size(sizeof(Storage)) + panels_.storage()->bytes_on_cpu();
}

void PackedWeightData::add_to(MemoryReport& report, MemoryPart part) const {
  report.add(part, panels_.storage().get());
}

}  // namespace tenure::cpu
