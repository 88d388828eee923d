#include "model/files/decimal.h"

#include <algorithm>
#include <limits>

namespace tenure {

namespace {

/// A double-double: the value high + low, with about 106 bits.
struct DoubleDouble {
  double high;
  double low;
};

DoubleDouble renormalized(double high, double low) {
  const double sum = high + low;
  return {sum, low - (sum - high)};
}

/// Returns a * b - product exactly (Dekker 1971). There is no wider type than double, and WebAssembly has no
/// fused multiply-add.
double product_error(double a, double b, double product) {
  const auto upper = [](double x) {
    const double split = x * 134217729;  // 2^27 + 1
    return split - (split - x);
  };
  const double ah = upper(a);
  const double bh = upper(b);
  const double al = a - ah;
  const double bl = b - bh;
  return ah * bh - product + ah * bl + al * bh + al * bl;
}

DoubleDouble times(DoubleDouble x, double y) {
  const double product = x.high * y;
  return renormalized(product, product_error(x.high, y, product) + x.low * y);
}

DoubleDouble over(DoubleDouble x, double y) {
  const double quotient = x.high / y;
  const double product = quotient * y;
  const double rest = x.high - product - product_error(quotient, y, product) + x.low;
  return renormalized(quotient, rest / y);
}

}  // namespace

double scale_by_power_of_ten(std::uint64_t mantissa, std::int64_t exponent) {
  if (mantissa == 0 || exponent < -343) return 0;
  if (exponent > 308) return std::numeric_limits<double>::infinity();
  const auto high = static_cast<double>(mantissa);
  const auto low =
      static_cast<double>(static_cast<std::int64_t>(mantissa - static_cast<std::uint64_t>(high)));
  // Scaled by a power of two meanwhile: near the ends of the range products would lose their low parts.
  const bool large = exponent > 0;
  DoubleDouble x = times({high, low}, large ? 0x1p-128 : 0x1p128);
  for (std::int64_t left = large ? exponent : -exponent; left > 0;) {
    constexpr std::int64_t kMaxExactPower = 22;  // 10^22 is the largest power of ten exact in a double
    const std::int64_t step = std::min(left, kMaxExactPower);
    double power = 1;
    for (std::int64_t i = 0; i < step; ++i) power *= 10;
    x = large ? times(x, power) : over(x, power);
    left -= step;
  }
  return x.high * (large ? 0x1p128 : 0x1p-128);
}

}  // namespace tenure
