#pragma once

#include "core/tensor.h"

namespace tenure {

/// A float32 weight whose columns are each multiplied by a number, computed when it is read. A kernel that
/// multiplies its result instead never computes it, and shares the weight with its other users.
class ScaledWeight final : public DeferredData {
 public:
  static const char kForm;

  /// Returns the scaled weight. `scale` has an element for each column, and a shape that broadcasts to the
  /// weight's.
  static Tensor make(Tensor weight, Tensor scale);

  void unpack(void* to) const override;
  std::size_t bytes() const override { return scale_.storage()->bytes_on_cpu(); }
  void add_to(MemoryReport& report, MemoryPart part) const override;
  const char* form() const override { return &kForm; }

  const Tensor& weight() const { return weight_; }
  const Tensor& scale() const { return scale_; }

 private:
  ScaledWeight(Tensor weight, Tensor scale) : weight_(std::move(weight)), scale_(std::move(scale)) {}

  Tensor weight_;
  Tensor scale_;
};

}  // namespace tenure
