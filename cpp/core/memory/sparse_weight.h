#pragma once

#include "core/tensor.h"

namespace tenure {

/// The elements of a matrix [rows, columns] that are not 0, column by column. Copies share their memory.
class SparseColumns {
 public:
  struct Element {
    std::int32_t row;
    float value;
  };

  /// Copies the elements of a row-major matrix, of which `count` are not 0. Throws Error(kOutOfMemory).
  SparseColumns(const float* dense, int rows, int columns, std::size_t count);

  int rows() const { return rows_; }
  int columns() const { return columns_; }
  std::size_t count() const { return count_; }
  /// Returns the elements of a column, with ascending rows.
  std::span<const Element> column(int column) const {
    return {elements() + starts()[column], elements() + starts()[column + 1]};
  }
  const StoragePtr& storage() const { return storage_; }

 private:
  /// Returns the index of the first element of each column, and the number of all.
  const std::uint32_t* starts() const { return reinterpret_cast<const std::uint32_t*>(elements() + count_); }
  const Element* elements() const { return static_cast<const Element*>(storage_->data()); }

  int rows_;
  int columns_;
  std::size_t count_;
  StoragePtr storage_;
};

/// A float32 weight that is stored without its zeros: a matrix whose columns are the last dimension. The
/// zeros are written when it is read; kernels skip them, so that an infinity or a NaN times such a 0 is 0.
class SparseWeight final : public DeferredData {
 public:
  static const char kForm;

  /// Returns the weight in this form, or as it is if it has too few zeros to gain by it.
  static Tensor compress(const Tensor& weight);
  /// Returns the elements of a weight in this form, else null.
  static const SparseColumns* of(const Tensor& weight) {
    const SparseWeight* form = weight.has_data() ? weight.storage()->packed_as<SparseWeight>() : nullptr;
    return form ? &form->columns_ : nullptr;
  }

  void unpack(void* to) const override;
  std::size_t bytes() const override;
  void add_to(MemoryReport& report, MemoryPart part) const override;
  bool stays_packed() const override { return true; }
  const char* form() const override { return &kForm; }

 private:
  explicit SparseWeight(SparseColumns columns) : columns_(std::move(columns)) {}

  SparseColumns columns_;
};

}  // namespace tenure
