#pragma once

#include <cstdint>
#include <cstring>
#include <limits>

#include "core/dtype.h"

namespace tenure::cpu {

/// Truncated toward zero; NaN becomes 0, and numbers beyond int32 its nearest value.
inline std::int32_t to_int32(double x) {
  if (!(x == x)) return 0;
  if (x <= std::numeric_limits<std::int32_t>::min()) return std::numeric_limits<std::int32_t>::min();
  if (x >= std::numeric_limits<std::int32_t>::max()) return std::numeric_limits<std::int32_t>::max();
  return static_cast<std::int32_t>(x);
}

/// Room for an element of any type.
using AnyElement = std::uint64_t;

/// One number as an element of `dtype`: 4 bytes, 1 for a bool, or 8 for a complex number that is real.
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
