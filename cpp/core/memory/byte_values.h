#pragma once

#include <cstring>

#include "core/tensor.h"

/// Whole numbers that a plan's steps store as bytes for each other: a tensor of bool, whose elements are
/// distances from the lowest number. That is an int32 kByteHeader bytes before the first element.
/// Convolutions of integers take no other bools.
namespace tenure {

constexpr std::size_t kByteHeader = 16;

inline bool holds_bytes(const Tensor& x) { return x.dtype() == DType::kBool; }
inline std::int32_t get_byte_low(const Tensor& x) {
  std::int32_t low;
  std::memcpy(&low, x.data<std::byte>() - kByteHeader, sizeof low);
  return low;
}
inline void set_byte_low(Tensor& x, std::int32_t low) {
  std::memcpy(x.mutable_data<std::byte>() - kByteHeader, &low, sizeof low);
}

}  // namespace tenure
