#pragma once

#include "core/tensor.h"

namespace tenure {

/// Converts IEEE half precision, little endian and unaligned, to float32. Exact, also for subnormals,
/// infinities and NaNs.
void halves_to_floats(const std::byte* from, std::size_t count, float* to);

/// The elements of a float32 tensor in the half precision that a model file stores them in. They become
/// float32 when they are read; kernels read those of the op's trait `half_input` as they are. All are finite.
class HalfFloats final : public DeferredData {
 public:
  static const char kForm;
  /// For fewer elements the bookkeeping takes as much memory as is saved.
  static constexpr std::size_t kMinElements = 1024;

  /// True if make() takes these bytes, IEEE half precision: enough elements, all of them finite.
  static bool can_hold(std::span<const std::byte> stored);
  /// Returns a float32 tensor of `shape` with these elements, which it copies. Requires can_hold().
  static Tensor make(std::span<const std::byte> stored, const Shape& shape);
  /// Returns such a tensor over `stored`, which it shares. Requires can_hold().
  static Tensor make(StoragePtr stored, const Shape& shape);
  /// Returns the elements of a tensor if they are halves, else null.
  static const HalfFloats* of(const Tensor& x) {
    return x.has_data() ? x.storage()->packed_as<HalfFloats>() : nullptr;
  }

  void unpack(void* to) const override { read(0, count_, static_cast<float*>(to)); }
  std::size_t bytes() const override;
  void add_to(MemoryReport& report, MemoryPart part) const override;
  bool stays_packed() const override { return true; }
  const char* form() const override { return &kForm; }

  /// Writes `count` elements from `first` on to `to`.
  void read(std::size_t first, std::size_t count, float* to) const;
  /// Returns the stored elements as an int32 tensor with two in each word. The upper half of the last word is
  /// undefined if their number is odd. The tensor shares their storage, and with it a device's copy.
  Tensor words() const {
    return Tensor(stored_, {{static_cast<std::int32_t>((count_ + 1) / 2)}, DType::kInt32});
  }
  /// Returns the stored elements, readable 16 bytes past the end.
  const std::uint16_t* stored() const { return static_cast<const std::uint16_t*>(stored_->data()); }
  /// True if more than one element in 64 is subnormal. Some processors multiply those slowly.
  bool has_many_subnormals() const { return has_many_subnormals_; }

 private:
  HalfFloats(StoragePtr stored, std::size_t count);

  StoragePtr stored_;
  std::size_t count_;
  bool has_many_subnormals_;
};

}  // namespace tenure
