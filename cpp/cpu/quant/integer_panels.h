#pragma once

#include "core/tensor.h"
#include "cpu/threads/scratch.h"

/// Right-hand matrices of products of integers.
namespace tenure::cpu {

/// NR: columns in a panel.
constexpr int kIntegerNR = 8;
/// Rows of a panel that are multiplied in one iteration. Panels and left-hand rows are padded to a multiple
/// of it with zeros.
constexpr int kDepthUnit = 8;

/// Type of the elements of panels.
enum class PanelElement : std::uint8_t { kInt8, kUint8, kInt16 };

/// View of a matrix [depth, columns] as panels of eight columns. A panel has pairs of rows, and a pair has
/// two adjacent rows' elements of each column.
struct IntegerPanels {
  const void* data = nullptr;
  PanelElement element = PanelElement::kInt8;
  int depth = 0;
  int columns = 0;

  int padded_depth() const { return (depth + kDepthUnit - 1) / kDepthUnit * kDepthUnit; }
  int panels() const { return (columns + kIntegerNR - 1) / kIntegerNR; }
  /// Returns the elements of a panel.
  std::size_t panel_size() const { return static_cast<std::size_t>(padded_depth()) * kIntegerNR; }
  std::size_t bytes() const {
    const std::size_t each = element == PanelElement::kInt16 ? 2 : 1;
    return panel_size() * static_cast<std::size_t>(panels()) * each;
  }
};

/// The panels of a constant matrix, and the storage that holds them.
struct PreparedPanels {
  StoragePtr values;
  IntegerPanels panels;
};

/// Packed form of a weight of 8 bits, which takes the place of its rows.
class PackedIntegers final : public DeferredData {
 public:
  static const char kForm;

  /// Packs a matrix [depth, columns] of integers that fit 8 bits; b may have more dimensions. Its storage is
  /// converted to this form. Returns nothing for other integers, and where the storage cannot be converted.
  static PreparedPanels prepare(const Tensor& b, int columns);
  /// Returns the panels of a prepared matrix of `columns` columns, or no data.
  static IntegerPanels find(const Tensor& b, int columns);

  void unpack(void* to) const override;
  std::size_t bytes() const override;
  void add_to(MemoryReport& report, MemoryPart part) const override;
  bool stays_packed() const override { return true; }
  const char* form() const override { return &kForm; }

 private:
  PackedIntegers(StoragePtr values, IntegerPanels panels) : values_(std::move(values)), panels_(panels) {}

  StoragePtr values_;
  IntegerPanels panels_;
};

/// The panels of a matrix [depth, columns]: those of its packed form, which narrow integers take, or a packed
/// copy.
class PanelsOfMatrix {
 public:
  /// Packs matrix number `index` of a tensor of matrices [depth, columns].
  PanelsOfMatrix(const Tensor& b, int depth, int columns, std::size_t index = 0);
  const IntegerPanels& panels() const { return panels_; }

 private:
  IntegerPanels panels_;
  StoragePtr prepared_;
  Scratch<std::int16_t> copy_;
};

}  // namespace tenure::cpu
