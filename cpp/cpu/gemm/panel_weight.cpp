#include "cpu/gemm/panel_weight.h"

#include "core/interruption.h"
#include "core/memory/allocator.h"
#include "core/memory/memory_user.h"
#include "core/memory/scaled_weight.h"

namespace tenure::cpu {

const char PanelWeight::kForm = 0;

PreparedWeight PanelWeight::prepare(const Tensor& weight, int columns, bool transposed) {
  if (const auto* scaled = weight.storage()->packed_as<ScaledWeight>())
    return {panels_of(scaled->weight(), columns, transposed), scaled->scale()};
  gemm::PackedB panels = panels_of(weight, columns, transposed);
  const bool stores_once = gemm::stores_once(panels.rows(), gemm::kPanel);
  return {std::move(panels), {}, stores_once};
}

gemm::PackedB PanelWeight::panels_of(const Tensor& weight, int columns, bool transposed) {
  const auto rows = static_cast<int>(weight.elements() / static_cast<std::size_t>(columns));
  Storage& storage = *weight.storage().get();
  const auto* known = storage.packed_as<PanelWeight>();
  if (known && known->transposed_ == transposed && known->panels_.columns() == columns) return known->panels_;

  const auto step = static_cast<std::size_t>(transposed ? rows : columns);
  gemm::PackedB panels = gemm::pack(weight.data<float>(), rows, columns, step, transposed);
  if (!storage.can_be_repacked() || storage.bytes() != weight.bytes()) return panels;
  std::unique_ptr<PanelWeight> form(new PanelWeight(panels, transposed));
  PanelWeight& made = *form;
  // Other tensors read this storage: it must not be left between two forms.
  const interruption::CriticalSection weight_in_two_forms;
  StoragePtr place = storage.repack(std::move(form));
  if (panels.fits_in_place()) made.panels_.move_to(std::move(place));
  return made.panels_;
}

void PanelWeight::unpack(void* to) const {
  panels_.unpack(static_cast<float*>(to),
                 static_cast<std::size_t>(transposed_ ? panels_.rows() : panels_.columns()), transposed_);
}

std::size_t PanelWeight::bytes() const {
  // Shared panels are counted by the kernel that uses them.
  const bool is_shared = panels_.storage()->references() > 1;
  return is_shared ? 0 : allocated_size(sizeof(Storage)) + panels_.storage()->bytes_on_cpu();
}

void PanelWeight::add_to(Account& account, MemoryPart part) const {
  account.add(part, panels_.storage().get());
}

}  // namespace tenure::cpu
