#pragma once

#include "core/tensor.h"
#include "cpu/gemm/gemm.h"

namespace tenure::cpu {

/// A weight in panels, and what its columns are yet to be multiplied with: an empty tensor for nothing.
struct PreparedWeight {
  gemm::PackedB panels;
  Tensor scale;
  /// Whether a convolution stores each of its results once, with all that is added to it.
  bool stores_once = false;

  const float* scales() const { return scale ? scale.data<float>() : nullptr; }
};

/// A weight as the panels that products read, in the place of its rows: a model holds it once, and those who
/// read its rows get them from these.
class PanelWeight final : public PackedBytes {
 public:
  static const char kForm;

  /// The weight as a matrix of so many columns, which are its rows where it is `transposed`. It is brought
  /// into this form where it may be, and else copied.
  static PreparedWeight prepare(const Tensor& weight, int columns, bool transposed);

  void unpack(void* to) const override;
  std::size_t bytes() const override;
  void add_to(Account& account, MemoryPart part) const override;
  const char* form() const override { return &kForm; }

 private:
  PanelWeight(gemm::PackedB panels, bool transposed) : panels_(std::move(panels)), transposed_(transposed) {}
  static gemm::PackedB panels_of(const Tensor& weight, int columns, bool transposed);

  gemm::PackedB panels_;
  bool transposed_;
};

}  // namespace tenure::cpu
