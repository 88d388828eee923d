#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace tenure {

/// The beginning of errors about results beyond int32.
inline constexpr std::string_view kCannotHold = "integers are computed as int32, which cannot hold ";

/// Multiplies numbers of at most 3e9, which is beyond int32, and clamps the product to that. As factors other
/// than 0 are at least 1, further products of a clamped one are 0 or beyond int32, as exact ones would be.
inline std::int64_t multiply_clamped(std::int64_t a, std::int64_t b) {
  constexpr std::int64_t kMax = 3'000'000'000;
  return std::clamp(a * b, -kMax, kMax);
}

}  // namespace tenure
