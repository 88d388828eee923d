#pragma once

#include "core/tensor.h"

namespace tenure {

/// The elements of an int32 tensor in the 4 or 8 bits that a model file stores them in. They become int32
/// when they are read; kernels of ops with the trait `reads_narrow` read them as they are.
class NarrowIntegers final : public DeferredData {
 public:
  static const char kForm;
  /// For fewer elements the bookkeeping takes as much memory as is saved.
  static constexpr std::size_t kMinElements = 1024;

  /// Returns an int32 tensor of `shape` with these elements, which it copies: one a byte, or two of 4 bits,
  /// the low bits first.
  static Tensor make(std::span<const std::byte> stored, const Shape& shape, int bits, bool is_signed);
  /// Returns such a tensor over `stored`, which it shares.
  static Tensor make(StoragePtr stored, const Shape& shape, int bits, bool is_signed);
  /// Returns a tensor of `shape` whose elements are the transpose of the matrix in `integers`, which has 8
  /// bits an element and a row for each index of the last axis of `shape`. The two share the bytes.
  static Tensor transpose(const NarrowIntegers& integers, const Shape& shape);
  /// Returns an int32 tensor with its elements in 8 bits, or `x` itself if they do not fit or are few.
  static Tensor compress(const Tensor& x);
  /// Returns the elements of a tensor if they are narrow, else null.
  static const NarrowIntegers* of(const Tensor& x) {
    return x.has_data() ? x.storage()->packed_as<NarrowIntegers>() : nullptr;
  }

  void unpack(void* to) const override { read(0, count_, static_cast<std::int32_t*>(to)); }
  std::size_t bytes() const override;
  void add_to(MemoryReport& report, MemoryPart part) const override;
  bool stays_packed() const override { return true; }
  const char* form() const override { return &kForm; }

  /// Writes `count` elements from `first` on to `to`.
  void read(std::size_t first, std::size_t count, std::int32_t* to) const;
  int bits() const { return bits_; }
  bool is_signed() const { return is_signed_; }
  /// Returns the stored bytes, in the order in which they are stored, as an int32 tensor of whole words. The
  /// bytes of the last word behind them are undefined. The tensor shares their storage, and with it a
  /// device's copy.
  Tensor words() const {
    const std::size_t words = (stored_->bytes() + sizeof(std::int32_t) - 1) / sizeof(std::int32_t);
    return Tensor(stored_, {{static_cast<std::int32_t>(words)}, DType::kInt32});
  }
  /// Returns the rows of the matrix whose transpose is stored, or 0 if the elements are stored in order.
  std::size_t transposed_rows() const { return transposed_rows_; }
  /// Returns the stored bytes.
  const std::uint8_t* stored() const { return static_cast<const std::uint8_t*>(stored_->data()); }

 private:
  /// Returns an element of 8 bits from its stored byte.
  std::int32_t extend(std::uint8_t byte) const { return is_signed_ ? static_cast<std::int8_t>(byte) : byte; }
  NarrowIntegers(StoragePtr stored, std::size_t count, int bits, bool is_signed)
      : stored_(std::move(stored)), count_(count), bits_(bits), is_signed_(is_signed) {}

  StoragePtr stored_;
  std::size_t count_;
  int bits_;
  bool is_signed_;
  std::size_t transposed_rows_ = 0;
};

}  // namespace tenure
