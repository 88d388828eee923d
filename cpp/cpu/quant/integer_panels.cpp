#include "cpu/quant/integer_panels.h"

#include <algorithm>
#include <optional>

#include "core/memory/allocator.h"
#include "core/memory/memory_tracked.h"
#include "core/memory/narrow_integers.h"
#include "cpu/simd/simd_integer.h"

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
      To* at = to + panels.offset(panels.padded_row(k));
      for (int c = 0; c < count; ++c) at[panels.group() * c] = static_cast<To>(row[c]);
    }
  }
}

/// Packs a column of a matrix, whose elements are adjacent at `from`, into its panel. kGroup is group().
template <int kGroup>
void pack_column(const std::uint8_t* from, const IntegerPanels& panels, std::uint8_t* to) {
  constexpr int kGroups = kDepthUnit / kGroup;
  const int units = panels.run() / kDepthUnit;
  const int rest = panels.run() % kDepthUnit;
  for (int run = 0; run < panels.runs; ++run) {
    for (int unit = 0; unit < units; ++unit, from += kDepthUnit, to += kDepthUnit * kIntegerNR) {
#pragma GCC unroll 4
      for (int i = 0; i < kGroups; ++i) std::memcpy(to + i * kGroup * kIntegerNR, from + i * kGroup, kGroup);
    }
    if (rest == 0) continue;
    for (int k = 0; k < rest; ++k) to[k / kGroup * kGroup * kIntegerNR + k % kGroup] = *from++;
    to += kDepthUnit * kIntegerNR;
  }
}

/// Packs a matrix of bytes whose columns are adjacent into panels. `stride` is from a column to the next.
void pack_transposed(const std::uint8_t* from, std::size_t stride, const IntegerPanels& panels,
                     std::uint8_t* to) {
  if (panels.run() % kDepthUnit != 0 || panels.columns % kIntegerNR != 0) std::memset(to, 0, panels.bytes());
  for (int column = 0; column < panels.columns; ++column, from += stride) {
    std::uint8_t* const panel = to + static_cast<std::size_t>(column / kIntegerNR) * panels.panel_size();
    std::uint8_t* const at = panel + column % kIntegerNR * panels.group();
    panels.group() == 4 ? pack_column<4>(from, panels, at) : pack_column<2>(from, panels, at);
  }
}

template <class From>
void unpack_panels(const IntegerPanels& panels, std::int32_t* to) {
  const auto* from = static_cast<const From*>(panels.data);
  for (int k = 0; k < panels.depth; ++k) {
    for (int c = 0; c < panels.columns; ++c) {
      const auto panel = static_cast<std::size_t>(c / kIntegerNR) * panels.panel_size();
      const int at = panels.offset(panels.padded_row(k)) + c % kIntegerNR * panels.group();
      to = std::copy_n(from + panel + at, 1, to);
    }
  }
}

/// Packs matrix number `index` of a tensor of narrow integers.
void pack_narrow(const NarrowIntegers& narrow, std::size_t index, const IntegerPanels& panels,
                 std::uint8_t* to) {
  if (const std::size_t rows = narrow.transposed_rows())
    return pack_transposed(narrow.stored() + index * static_cast<std::size_t>(panels.depth), rows, panels,
                           to);
  const std::size_t size = static_cast<std::size_t>(panels.depth) * static_cast<std::size_t>(panels.columns);
  pack(narrow.stored() + index * size, panels, to);
}

PanelElement get_element(const NarrowIntegers& narrow) {
  return narrow.is_signed() ? PanelElement::kInt8 : PanelElement::kUint8;
}

/// Returns the elements of a tensor of matrices if they are stored in 8 bits, in order or by columns, else
/// null.
const NarrowIntegers* find_bytes(const Tensor& x, int columns) {
  const NarrowIntegers* narrow = NarrowIntegers::of(x);
  if (!narrow || narrow->bits() != 8) return nullptr;
  const std::size_t rows = narrow->transposed_rows();
  return rows == 0 || rows * static_cast<std::size_t>(columns) == x.elements() ? narrow : nullptr;
}

/// Returns a type of 8 bits that holds all elements.
std::optional<PanelElement> find_element(const Tensor& x) {
  const auto values = x.values<std::int32_t>();
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  if (*low >= INT8_MIN && *high <= INT8_MAX) return PanelElement::kInt8;
  if (*low >= 0 && *high <= UINT8_MAX) return PanelElement::kUint8;
  return {};
}

/// Returns the int32 elements that the sums of all columns take.
std::size_t column_sums_size(const IntegerPanels& panels) {
  const bool has_sums = panels.element == PanelElement::kInt8;
  return has_sums ? static_cast<std::size_t>(panels.panels() * kIntegerNR) : 0;
}

/// Sums up the columns of panels of int8. kGroup is group().
template <int kGroup>
void sum_columns(const IntegerPanels& panels, std::int32_t* sums) {
  const auto* from = static_cast<const std::int8_t*>(panels.data);
  for (int panel = 0; panel < panels.panels(); ++panel, sums += kIntegerNR) {
    // Each vector has the elements of 8 / kGroup columns.
    simd::I32 sum[kGroup] = {};
    const std::int8_t* const end = from + panels.panel_size();
    for (; from != end; from += kGroup * kIntegerNR) {
#pragma GCC unroll 4
      for (int v = 0; v < kGroup; ++v)
        sum[v] = sum[v] + simd::dot_pairs(simd::I16::load(from + v * kIntegerNR), simd::I16(1));
    }
    for (int c = 0; c < kIntegerNR; ++c) {
      const simd::I32& lanes = sum[c * kGroup / kIntegerNR];
      const int lane = c * kGroup % kIntegerNR / 2;
      sums[c] = kGroup == 4 ? lanes[lane] + lanes[lane + 1] : lanes[lane];
    }
  }
}

}  // namespace

const char PackedIntegers::kForm = 0;

PreparedPanels PackedIntegers::prepare(const Tensor& b, int columns, int runs, ByteKernel multiply_bytes) {
  Storage& storage = *b.storage().get();
  const int depth = static_cast<int>(b.elements() / static_cast<std::size_t>(columns));
  if (storage.packed_as<PackedIntegers>()) {
    IntegerPanels known = find(b, columns, runs);
    if (!known.data) return {};
    if (known.element != PanelElement::kInt8 || known.multiply_bytes == multiply_bytes)
      return {storage.packed_as<PackedIntegers>()->values_, known};
    known.multiply_bytes = multiply_bytes;
    return repack(b, known);
  }
  if (storage.bytes() != b.bytes()) return {};
  const NarrowIntegers* narrow = find_bytes(b, columns);
  if (!narrow && !storage.can_replace_layout()) return {};
  const std::optional<PanelElement> element = narrow ? get_element(*narrow) : find_element(b);
  if (!element) return {};
  return repack(b, {.element = *element,
                    .depth = depth,
                    .columns = columns,
                    .runs = runs,
                    .multiply_bytes = *element == PanelElement::kInt8 ? multiply_bytes : nullptr});
}

/// Packs a matrix into panels like `panels`, which take the place of its elements.
PreparedPanels PackedIntegers::repack(const Tensor& b, IntegerPanels panels) {
  Storage& storage = *b.storage().get();
  StoragePtr values = Storage::allocate(panels.bytes() + column_sums_size(panels) * sizeof(std::int32_t));
  auto* to = static_cast<std::uint8_t*>(values->mutable_data());
  const auto* packed = storage.packed_as<PackedIntegers>();
  const NarrowIntegers* narrow = find_bytes(b, panels.columns);
  if (packed) {
    Scratch<std::int32_t> elements(b.elements());
    packed->unpack(elements.data());
    pack(elements.data(), panels, to);
  } else if (narrow) {
    pack_narrow(*narrow, 0, panels, to);
  } else {
    pack(b.data<std::int32_t>(), panels, to);
  }
  panels.data = values->data();
  if (panels.element == PanelElement::kInt8) {
    auto* sums = reinterpret_cast<std::int32_t*>(to + panels.bytes());
    panels.group() == 4 ? sum_columns<4>(panels, sums) : sum_columns<2>(panels, sums);
    panels.column_sums = sums;
  }
  std::unique_ptr<PackedIntegers> form(new PackedIntegers(values, panels));
  if (packed || narrow) {
    storage.replace_form(std::move(form));
  } else {
    storage.replace_layout(std::move(form));
  }
  return {std::move(values), panels};
}

IntegerPanels PackedIntegers::find(const Tensor& b, int columns, int runs) {
  const auto* known = b.storage()->packed_as<PackedIntegers>();
  const bool is_same = known && b.storage()->bytes() == b.bytes() && known->panels_.columns == columns &&
                       known->panels_.runs == runs;
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

PanelsOfMatrix::PanelsOfMatrix(const Tensor& b, int depth, int columns, std::size_t index, int runs,
                               bool takes_bytes)
    : panels_(PackedIntegers::find(b, columns, runs)) {
  if (panels_.data && (takes_bytes || !panels_.multiply_bytes)) return;
  const NarrowIntegers* narrow = find_bytes(b, columns);
  const std::size_t elements = static_cast<std::size_t>(depth) * static_cast<std::size_t>(columns);
  if (narrow && elements == b.elements()) {
    PreparedPanels prepared = PackedIntegers::prepare(b, columns, runs);
    panels_ = prepared.panels;
    prepared_ = std::move(prepared.values);
    if (panels_.data) return;
  }
  panels_ = {nullptr, narrow ? get_element(*narrow) : PanelElement::kInt16, depth, columns, runs, nullptr,
             nullptr};
  copy_ = Scratch<std::int16_t>(panels_.bytes() / sizeof(std::int16_t));
  panels_.data = copy_.data();
  if (narrow) {
    pack_narrow(*narrow, index, panels_, reinterpret_cast<std::uint8_t*>(copy_.data()));
  } else {
    pack(b.data<std::int32_t>() + index * elements, panels_, copy_.data());
  }
}

PairedPanels::PairedPanels(const IntegerPanels& panels) : panels_(panels), values_(panels.bytes()) {
  panels_.multiply_bytes = nullptr;
  panels_.data = values_.data();
  const auto* from = static_cast<const std::int8_t*>(panels.data);
  std::int8_t* to = values_.data();
  for (int panel = 0; panel < panels.panels(); ++panel) {
    for (int row = 0; row < panels.padded_depth(); ++row) {
      for (int c = 0; c < kIntegerNR; ++c)
        to[panels_.offset(row) + 2 * c] = from[panels.offset(row) + panels.group() * c];
    }
    from += panels.panel_size();
    to += panels.panel_size();
  }
}

}  // namespace tenure::cpu
