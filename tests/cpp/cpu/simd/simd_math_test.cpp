#include "cpu/simd/simd_trigonometry.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>

#include "catch.h"

namespace tenure::simd {
namespace {

struct Case {
  const char* name;
  std::function<F32(F32)> approximate;
  double (*exact)(double);
  double ulps;
};

// Results below 2^-126.5 are flushed to 0.
double exp_to_one_exactly(double x) { return x < -87.683115 ? 0 : std::exp(x); }
double exp2_to_one_exactly(double x) { return x > 0 ? 1 : x < -126.5 ? 0 : std::exp2(x); }
double sigmoid_exactly(double x) { return 1 / (1 + std::exp(-x)); }

F32 exp_of_negative(F32 x) { return select(x > F32(0), exp(x), exp_nonpositive(x)); }
F32 exp2_of_negative(F32 x) { return select(x > F32(0), F32(1), exp2_nonpositive(x, kExp2)); }

F32 (*lanes(F32 (*f)(F32)))(F32) { return f; }
/// Returns erf(x) as one of two vectors of lanes, as the loops compute it.
F32 wide_erf(F32 x) {
  simd::Wide<2> wide(0.25F);
  wide.v[1] = x;
  return erf(wide).v[1];
}

const Case kCases[] = {
    {"exp_nonpositive", exp_of_negative, exp_to_one_exactly, 2},
    {"exp2_nonpositive", exp2_of_negative, exp2_to_one_exactly, 3},
    {"sigmoid", lanes(sigmoid), sigmoid_exactly, 3},
    {"exp", lanes(exp), std::exp, 2},
    {"expm1", lanes(expm1), std::expm1, 2},
    {"log", lanes(log), std::log, 2},
    {"log1p", lanes(log1p), std::log1p, 2},
    {"sin", lanes(sin), std::sin, 2},
    {"cos", lanes(cos), std::cos, 2},
    {"tan", lanes(tan), std::tan, 2.5},
    {"asin", lanes(asin), std::asin, 2},
    {"acos", lanes(acos), std::acos, 2},
    {"atan", lanes(atan), std::atan, 2},
    {"sinh", lanes(sinh), std::sinh, 2},
    {"cosh", lanes(cosh), std::cosh, 2},
    {"tanh", tanh<F32>, std::tanh, 2},
    {"asinh", lanes(asinh), std::asinh, 2},
    {"acosh", lanes(acosh), std::acosh, 2},
    {"atanh", lanes(atanh), std::atanh, 2},
    {"erf", erf<F32>, std::erf, 2},
    {"wide erf", wide_erf, std::erf, 2},
    {"sqrt", lanes(sqrt), std::sqrt, 0.5},
};

/// Returns the distance from `got` to `exact` in ulp of the float nearest to `exact`, subnormal or not.
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
  // A prime step, so that all exponents, signs and low bits of the significand occur; NaNs and infinities
  // too.
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

TEST_CASE("Several vectors side by side give what each gives alone", "[simd]") {
  constexpr int kVectors = 4;
  constexpr std::uint32_t kStep = 1000003;
  using Wide = simd::Wide<kVectors>;
  const auto same = [](F32 a, F32 b) {
    for (int i = 0; i < kLanes; ++i) {
      if (!(a[i] == b[i] || (a[i] != a[i] && b[i] != b[i]))) return false;
    }
    return true;
  };
  for (std::uint64_t bits = 0; bits < (std::uint64_t{1} << 32); bits += kStep * kVectors) {
    Wide x;
    for (int i = 0; i < kVectors; ++i) {
      const auto at = [&](std::uint32_t lane) {
        return std::bit_cast<float>(static_cast<std::uint32_t>(bits) +
                                    (static_cast<std::uint32_t>(i) * 4 + lane) * (kStep / 4));
      };
      x.v[i] = RawF32{at(0), at(1), at(2), at(3)};
    }
    for (int i = 0; i < kVectors; ++i) {
      INFO(x.v[i][0] << ", " << x.v[i][1] << ", " << x.v[i][2] << ", " << x.v[i][3]);
      REQUIRE(same(exp(x).v[i], exp(x.v[i])));
      REQUIRE(same(log(x).v[i], log(x.v[i])));
      REQUIRE(same(tanh(x).v[i], tanh(x.v[i])));
      REQUIRE(same(sigmoid(x).v[i], sigmoid(x.v[i])));
      REQUIRE(same(expm1(x).v[i], expm1(x.v[i])));
      REQUIRE(same(exp_nonpositive(x).v[i], exp_nonpositive(x.v[i])));
    }
  }
}

}  // namespace tenure::simd
