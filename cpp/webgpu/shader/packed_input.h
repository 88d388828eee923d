#pragma once

#include <array>
#include <optional>

#include "webgpu/shader/kernel.h"

namespace tenure::webgpu {

/// An input that a kernel reads as a model file stores it: integers of 4 or 8 bits (NarrowIntegers), or
/// floats in half precision (HalfFloats). Its storage keeps the device's copy of the stored bytes.
class PackedInput {
 public:
  /// Returns the input for a tensor that is stored so. Returns nullopt for others, for those whose elements
  /// the device has as 32-bit words, and for halves with many numbers that a device may round to 0.
  static std::optional<PackedInput> find(const Tensor& x);

  /// Adds the input `name`, and for "x" declares `fn x_element(e: i32)`, element e of it, and
  /// `fn x_vector(v: i32)`, elements 4 * v to 4 * v + 3. A kernel can have one such input of integers. The
  /// object must live until the dispatch.
  void add_to(Dispatch& dispatch, const char* name) const;
  /// Adds the stored words alone as the input `name`. The object must live until the dispatch.
  void add_words_to(Dispatch& dispatch, const char* name) const { dispatch.input(name, words_); }

  /// True if the elements are integers of 8 bits.
  bool has_bytes() const { return !is_half_ && format_[1] == 8; }
  bool is_signed() const { return format_[3] != 0; }
  /// Returns the rows of the matrix whose transpose is stored, or 0 if the elements are stored in order.
  int transposed_rows() const { return transposed_ ? transposed_->front() : 0; }

 private:
  /// The matrix whose transpose is stored: rows, columns, and two zeros. None if elements are stored in
  /// order.
  using Transposed = std::optional<std::array<int, 4>>;
  PackedInput(Tensor words, bool is_half, const std::array<int, 4>& format, const Transposed& transposed = {})
      : words_(std::move(words)), is_half_(is_half), transposed_(transposed), format_(format) {}

  Tensor words_;
  bool is_half_;
  Transposed transposed_;
  /// Format of integers: the base 2 logarithm of the number of elements in a word, the bits of an element,
  /// its mask, and its highest bit if it is signed.
  std::array<int, 4> format_;
};

}  // namespace tenure::webgpu
