#include "cpu/quant/integer_panels.h"

#include <algorithm>
#include <optional>

#include "core/memory/allocator.h"
#include "core/memory/memory_tracked.h"
#include "core/memory/narrow_integers.h"

namespace tenure::cpu {
namespace {

/// Packs a row-major matrix into panels of `To`.
template <class To, class From>
[[gnu::noinline]] void pack(const From* from, const IntegerPanels& panels, To* to) {
  const auto columns = static_cast<std::size_t>(panels.columns);
  std::fill_n(to, panels.panel_size() * static_cast<std::size_t>(panels.panels()), To(0));
  for (int first = 0; first < panels.columns; first += kIntegerNR, to += panels.panel_size()) {
    const int count = std::min(kIntegerNR, panels.columns - first);
    for (int k = 0; k < panels.depth; ++k) {
      const From* row = from + static_cast<std::size_t>(k) * columns + first;
      To* at = to + k / 2 * (2 * kIntegerNR) + k % 2;
      for (int c = 0; c < count; ++c) at[2 * c] = static_cast<To>(row[c]);
    }
  }
}

template <class From>
void unpack_panels(const IntegerPanels& panels, std::int32_t* to) {
  const auto* from = static_cast<const From*>(panels.data);
  for (int k = 0; k < panels.depth; ++k) {
    for (int c = 0; c < panels.columns; ++c) {
      const auto panel = static_cast<std::size_t>(c / kIntegerNR) * panels.panel_size();
      const int at = k / 2 * (2 * kIntegerNR) + c % kIntegerNR * 2 + k % 2;
      to = std::copy_n(from + panel + at, 1, to);
    }
  }
}

/// Packs matrix number `index` of a tensor of narrow integers.
void pack_narrow(const NarrowIntegers& narrow, std::size_t index, const IntegerPanels& panels,
                 std::uint8_t* to) {
  const std::size_t size = static_cast<std::size_t>(panels.depth) * static_cast<std::size_t>(panels.columns);
  pack(narrow.stored() + index * size, panels, to);
}

PanelElement element_of(const NarrowIntegers& narrow) {
  return narrow.is_signed() ? PanelElement::kInt8 : PanelElement::kUint8;
}

/// Returns the elements of a tensor if they are stored in 8 bits, else null.
const NarrowIntegers* find_bytes(const Tensor& x) {
  const NarrowIntegers* narrow = NarrowIntegers::of(x);
  return narrow && narrow->bits() == 8 ? narrow : nullptr;
}

/// Returns a type of 8 bits that holds all elements.
std::optional<PanelElement> find_element(const Tensor& x) {
  const auto values = x.values<std::int32_t>();
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  if (*low >= INT8_MIN && *high <= INT8_MAX) return PanelElement::kInt8;
  if (*low >= 0 && *high <= UINT8_MAX) return PanelElement::kUint8;
  return {};
}

}  // namespace

const char PackedIntegers::kForm = 0;

PreparedPanels PackedIntegers::prepare(const Tensor& b, int columns) {
  Storage& storage = *b.storage().get();
  const int depth = static_cast<int>(b.elements() / static_cast<std::size_t>(columns));
  if (storage.packed_as<PackedIntegers>()) {
    const IntegerPanels known = find(b, columns);
    if (!known.data) return {};
    return {storage.packed_as<PackedIntegers>()->values_, known};
  }
  if (storage.bytes() != b.bytes()) return {};
  const NarrowIntegers* narrow = find_bytes(b);
  if (!narrow && !storage.can_replace_layout()) return {};
  const std::optional<PanelElement> element = narrow ? element_of(*narrow) : find_element(b);
  if (!element) return {};
  IntegerPanels panels{nullptr, *element, depth, columns};
  StoragePtr values = Storage::allocate(panels.bytes());
  auto* to = static_cast<std::uint8_t*>(values->mutable_data());
  narrow ? pack_narrow(*narrow, 0, panels, to) : pack(b.data<std::int32_t>(), panels, to);
  panels.data = values->data();
  std::unique_ptr<PackedIntegers> form(new PackedIntegers(values, panels));
  if (narrow) {
    storage.replace_form(std::move(form));
  } else {
    storage.replace_layout(std::move(form));
  }
  return {std::move(values), panels};
}

IntegerPanels PackedIntegers::find(const Tensor& b, int columns) {
  const auto* known = b.storage()->packed_as<PackedIntegers>();
  const bool is_same = known && b.storage()->bytes() == b.bytes() && known->panels_.columns == columns;
  return is_same ? known->panels_ : IntegerPanels();
}

void PackedIntegers::unpack(void* to) const {
  auto* values = static_cast<std::int32_t*>(to);
  if (panels_.element == PanelElement::kInt8) {
    unpack_panels<std::int8_t>(panels_, values);
  } else {
    unpack_panels<std::uint8_t>(panels_, values);
  }
}

std::size_t PackedIntegers::bytes() const {
  // Shared panels are counted by the kernel that uses them.
  return values_->references() > 1 ? 0 : allocated_size(sizeof(Storage)) + values_->bytes_on_cpu();
}

void PackedIntegers::add_to(MemoryReport& report, MemoryPart part) const { report.add(part, values_.get()); }

PanelsOfMatrix::PanelsOfMatrix(const Tensor& b, int depth, int columns, std::size_t index)
    : panels_(PackedIntegers::find(b, columns)) {
  if (panels_.data) return;
  const NarrowIntegers* narrow = find_bytes(b);
  const std::size_t elements = static_cast<std::size_t>(depth) * static_cast<std::size_t>(columns);
  if (narrow && elements == b.elements()) {
    PreparedPanels prepared = PackedIntegers::prepare(b, columns);
    panels_ = prepared.panels;
    prepared_ = std::move(prepared.values);
    if (panels_.data) return;
  }
  panels_ = {nullptr, narrow ? element_of(*narrow) : PanelElement::kInt16, depth, columns};
  copy_ = Scratch<std::int16_t>(panels_.bytes() / sizeof(std::int16_t));
  panels_.data = copy_.data();
  if (narrow) {
    pack_narrow(*narrow, index, panels_, reinterpret_cast<std::uint8_t*>(copy_.data()));
  } else {
    pack(b.data<std::int32_t>() + index * elements, panels_, copy_.data());
  }
}

}  // namespace tenure::cpu
