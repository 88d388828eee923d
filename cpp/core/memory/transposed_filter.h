#pragma once

#include "core/tensor.h"

namespace tenure {

/// A filter [height, width, in, out] of float32 weights [out, in, height, width], transposed when it is read.
/// A kernel that packs the filter lets the weights take the packed form, so that both are held once.
class TransposedFilter final : public DeferredData {
 public:
  static const char kForm;

  /// Returns the filter of `weights`. It is transposed at once if the weights are not known, not float32 or
  /// held in fewer bits, if a device is to read it, or if a tape records.
  static Tensor transpose(const Tensor& weights);
  /// Writes the weights [out, in, height, width] of `filter` to `to`.
  static void restore(const Tensor& filter, void* to);

  void unpack(void* to) const override;
  std::size_t bytes() const override { return 0; }
  void add_to(MemoryReport& report, MemoryPart part) const override;
  const char* form() const override { return &kForm; }

  const Tensor& weights() const { return weights_; }

 private:
  explicit TransposedFilter(Tensor weights) : weights_(std::move(weights)) {}

  Tensor weights_;
};

}  // namespace tenure
