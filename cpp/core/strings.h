#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/tensor.h"

namespace tenure {

/// Returns the bytes of the offset table in front of a string tensor's text: 32-bit offsets of where each
/// string begins, and where the last ends.
constexpr std::uint64_t offset_bytes(std::uint64_t elements) {
  return (elements + 1) * sizeof(std::uint32_t);
}

/// A view of a string tensor's elements, row-major. Valid as long as the tensor's storage.
class Strings {
 public:
  explicit Strings(const Tensor& tensor)
      : offsets_(tensor.data<std::uint32_t>()),
        size_(tensor.elements()),
        text_(tensor.data<char>() + offset_bytes(size_)) {}

  std::size_t size() const { return size_; }
  std::string_view operator[](std::size_t i) const {
    return {text_ + offsets_[i], offsets_[i + 1] - offsets_[i]};
  }

 private:
  const std::uint32_t* offsets_;
  std::size_t size_;
  const char* text_;
};

/// Allocates a string tensor with room for `text_bytes` of text; the caller writes its offsets and text.
/// Throws Error(kOutOfMemory) beyond the range of 32-bit offsets.
Tensor allocate_strings(const Shape& shape, std::uint64_t text_bytes);

/// Copies `values` into a string tensor. Throws Error(kShape) unless there is one for each element.
Tensor make_string_tensor(std::span<const std::string_view> values, const Shape& shape);

}  // namespace tenure
