#pragma once

#include <cstdint>
#include <cstring>

#include "core/dtype.h"

namespace tenure::cpu {

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
