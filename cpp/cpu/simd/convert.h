#pragma once

#include <cstdint>
#include <cstring>

#include "core/dtype.h"

namespace tenure::cpu {

/// Storage for one element of any dtype.
using AnyElement = std::uint64_t;

/// Writes `value` to `element` as `dtype`: 4 bytes for float32 and int32, 1 for bool, 8 for complex64 with
/// imaginary part 0.
inline void store_as(DType dtype, double value, void* element) {
  if (dtype == DType::kFloat32) {
    const auto number = static_cast<float>(value);
    std::memcpy(element, &number, sizeof number);
  } else if (dtype == DType::kInt32) {
    const std::int32_t number = to_int32(value);
    std::memcpy(element, &number, sizeof number);
  } else if (dtype == DType::kComplex64) {
    const float number[] = {static_cast<float>(value), 0};
    std::memcpy(element, number, sizeof number);
  } else {
    *static_cast<std::uint8_t*>(element) = value != 0;
  }
}

}  // namespace tenure::cpu
