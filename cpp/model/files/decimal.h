#pragma once

#include <cstdint>

namespace tenure {

/// Returns mantissa * 10^exponent, rounded once. Subnormal results may be off by one unit in the last place.
double scale_by_power_of_ten(std::uint64_t mantissa, std::int64_t exponent);

}  // namespace tenure
