#include "cpu/simd_math.h"

#include <bit>
#include <cmath>
#include <cstdint>

#include "catch.h"

namespace tenure::simd {
namespace {

struct Case {
  const char* name;
  F32 (*approximate)(F32);
  double (*exact)(double);
  double ulps;
};

const Case kCases[] = {
    {"exp", exp, std::exp, 2},       {"expm1", expm1, std::expm1, 2}, {"log", log, std::log, 2},
    {"log1p", log1p, std::log1p, 2}, {"sin", sin, std::sin, 2},       {"cos", cos, std::cos, 2},
    {"tan", tan, std::tan, 2},       {"asin", asin, std::asin, 2},    {"acos", acos, std::acos, 2},
    {"atan", atan, std::atan, 2},    {"sinh", sinh, std::sinh, 2},    {"cosh", cosh, std::cosh, 2},
    {"tanh", tanh, std::tanh, 2},    {"asinh", asinh, std::asinh, 2}, {"acosh", acosh, std::acosh, 2},
    {"atanh", atanh, std::atanh, 2}, {"erf", erf, std::erf, 2},       {"sqrt", sqrt, std::sqrt, 0.5},
};

/// Distance in units of the last place that `exact` has in float, subnormal or not.
double ulps_between(float got, double exact) {
  const auto rounded = static_cast<float>(exact);
  if (std::isnan(exact)) return std::isnan(got) ? 0 : 1e30;
  if (std::isinf(rounded) || std::isinf(got)) return got == rounded ? 0 : 1e30;
  if (exact == 0) return got == 0 && std::signbit(got) == std::signbit(exact) ? 0 : 1e30;
  const int exponent = std::max(std::ilogb(exact), -126);
  return std::abs(got - exact) / std::ldexp(1.0, exponent - 23);
}

}  // namespace

TEST_CASE("Functions of lanes stay near the exact values over all floats", "[simd]") {
  const Case& c = GENERATE(from_range(std::begin(kCases), std::end(kCases)));
  // A prime step, so that all exponents, signs and endings of the significand occur; NaNs and infinities too.
  constexpr std::uint32_t kStep = 40009;
  double worst = 0;
  float worst_at = 0;
  for (std::uint64_t bits = 0; bits < (std::uint64_t{1} << 32); bits += kStep) {
    const auto x = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    const double error = ulps_between(c.approximate(F32(x))[0], c.exact(x));
    if (!(error <= worst)) {
      worst = std::isnan(error) ? INFINITY : error;
      worst_at = x;
    }
  }
  INFO(c.name << " is off by " << worst << " ulp at " << worst_at);
  CHECK(worst <= c.ulps);
}

TEST_CASE("Functions of lanes keep the special values", "[simd]") {
  const Case& c = GENERATE(from_range(std::begin(kCases), std::end(kCases)));
  for (const float x :
       {0.0F, -0.0F, 1.0F, -1.0F, kInfinity, -kInfinity, std::nanf(""), 1e-45F, -1e-45F, 1.17549435e-38F,
        3.4028235e38F, -3.4028235e38F, 88.72F, 88.73F, -87.34F, -103.9F, -104.1F, 0.5F, 9.01F}) {
    INFO(c.name << "(" << x << ")");
    CHECK(ulps_between(c.approximate(F32(x))[0], c.exact(x)) <= c.ulps);
  }
}

}  // namespace tenure::simd
