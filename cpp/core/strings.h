#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/tensor.h"

namespace tenure {

/// Bytes before the text of a tensor of strings: where each begins, and where the last ends, 32 bits each.
constexpr std::uint64_t offset_bytes(std::uint64_t elements) {
  return (elements + 1) * sizeof(std::uint32_t);
}

/// The strings of a tensor, row major; valid as long as its storage.
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

/// A tensor of strings, with room for `text_bytes` of text, whose offsets and text are to be written. Throws
/// Error(kOutOfMemory) beyond what offsets can tell.
Tensor allocate_strings(const Shape& shape, std::uint64_t text_bytes);

/// Copies `values`; throws unless there is one for each element.
Tensor tensor_of(std::span<const std::string_view> values, const Shape& shape);

}  // namespace tenure
