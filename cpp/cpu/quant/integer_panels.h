#pragma once

#include "core/tensor.h"
#include "cpu/quant/prepare.h"
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
/// two adjacent rows' elements of each column. Those for products of bytes have fours of rows.
struct IntegerPanels {
  const void* data = nullptr;
  PanelElement element = PanelElement::kInt8;
  int depth = 0;
  int columns = 0;
  int runs = 1;  ///< equal parts of the depth, each padded to units
  /// Sum of each column, readable 16 bytes past the end. Null if the elements are not int8.
  const std::int32_t* column_sums = nullptr;
  ByteKernel multiply_bytes = nullptr;  ///< multiplies panels that have fours of rows; null for others

  int run() const { return depth / runs; }
  int padded_run() const { return (run() + kDepthUnit - 1) / kDepthUnit * kDepthUnit; }
  int padded_depth() const { return padded_run() * runs; }
  /// Returns where row `k` of the matrix is in a panel.
  int padded_row(int k) const { return k / run() * padded_run() + k % run(); }
  /// Returns the adjacent rows whose elements of a column are next to each other.
  int group() const { return multiply_bytes ? 4 : 2; }
  /// Returns where the padded row `row` begins in a panel. Its columns are group() elements apart.
  int offset(int row) const { return row / group() * group() * kIntegerNR + row % group(); }
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
  /// int8 is packed for `multiply_bytes`, which may be null.
  static PreparedPanels prepare(const Tensor& b, int columns, int runs = 1,
                                ByteKernel multiply_bytes = nullptr);
  /// Returns the panels of a prepared matrix of `columns` columns and `runs` runs, or no data.
  static IntegerPanels find(const Tensor& b, int columns, int runs = 1);

  void unpack(void* to) const override;
  std::size_t bytes() const override;
  void add_to(MemoryReport& report, MemoryPart part) const override;
  bool stays_packed() const override { return true; }
  const char* form() const override { return &kForm; }

 private:
  static PreparedPanels repack(const Tensor& b, IntegerPanels panels);
  PackedIntegers(StoragePtr values, IntegerPanels panels) : values_(std::move(values)), panels_(panels) {}

  StoragePtr values_;
  IntegerPanels panels_;
};

/// The panels of a matrix [depth, columns]: those of its packed form, which narrow integers take, or a packed
/// copy.
class PanelsOfMatrix {
 public:
  /// Packs matrix number `index` of a tensor of matrices [depth, columns]. The panels may have fours of rows
  /// if `takes_bytes`.
  PanelsOfMatrix(const Tensor& b, int depth, int columns, std::size_t index = 0, int runs = 1,
                 bool takes_bytes = false);
  const IntegerPanels& panels() const { return panels_; }

 private:
  IntegerPanels panels_;
  StoragePtr prepared_;
  Scratch<std::int16_t> copy_;
};

/// A copy of panels of int8 that has pairs of rows.
class PairedPanels {
 public:
  explicit PairedPanels(const IntegerPanels& panels);
  const IntegerPanels& panels() const { return panels_; }

 private:
  IntegerPanels panels_;
  Scratch<std::int8_t> values_;
};

}  // namespace tenure::cpu
