#pragma once

#include "core/tensor.h"
#include "cpu/gemm/gemm.h"

namespace tenure::cpu {

/// A packed weight, and the scale of its columns that is still to be applied: an empty tensor for none.
struct PackedWeight {
  gemm::PackedB panels;
  Tensor scale;
  /// True if a convolution stores each of its results once, with all that is added to it.
  bool writes_output_once = false;

  const float* scales() const { return scale ? scale.data<float>() : nullptr; }
};

/// Packed form of a weight, which takes the place of its rows: a model holds the weight once, and code that
/// reads its rows unpacks them from here.
class PackedWeightData final : public DeferredData {
 public:
  static const char kForm;

  /// Returns the weight packed as a matrix of `columns` columns, which are its rows if `transposed`. Its
  /// storage, or that of the weights of a TransposedFilter, is converted to this form where that is allowed;
  /// otherwise the result is a copy.
  static PackedWeight prepare(const Tensor& weight, int columns, bool transposed);

  /// Returns the panels that take the place of the weight's rows, in this form; null if there are none.
  static const gemm::PackedB* find_panels(const Tensor& weight, int columns, bool transposed);

  void unpack(void* to) const override;
  std::size_t bytes() const override;
  void add_to(MemoryReport& report, MemoryPart part) const override;
  const char* form() const override { return &kForm; }

 private:
  PackedWeightData(gemm::PackedB panels, bool transposed, const Shape& filter)
      : panels_(std::move(panels)), transposed_(transposed), filter_(filter) {}
  static gemm::PackedB get_panels(const Tensor& weight, int columns, bool transposed);

  gemm::PackedB panels_;
  bool transposed_;
  Shape filter_;  ///< shape of the packed filter of weights [out, in, height, width]; empty for others
};

}  // namespace tenure::cpu
