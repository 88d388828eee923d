#pragma once

#include "cpu/simd/simd_math.h"

/// pow() on lanes.
namespace tenure::simd {

/// Constants of pow(), extern for the same reason as ExpConstants. Fits at Chebyshev nodes of
/// log2((1 + s) / (1 - s)) / s over s^2, and of (2^r - 1) / r.
struct PowConstants {
  F64 p[5] = {0.340716230500, 0.411673550905, 0.577083569389, 0.961796673435, 2.88539008179};
  F32 q[6] = {1.545316294e-4F, 1.339086336e-3F, 9.618082557e-3F,
              5.550357114e-2F, 2.402265076e-1F, 6.931471880e-1F};
};
extern const PowConstants kPow;

/// Returns y * log2(x) for finite normal x > 0. In double: the absolute error of the exponent becomes the
/// relative error of the power.
inline F64 multiply_by_log2(F32 y, F32 x) {
  F32 significand;
  const F64 exponent = to_double(split_exponent(x, significand));
  const F64 m = to_double(significand);
  const F64 s = (m - 1.0) / (m + 1.0);
  const F64 z = s * s;
  F64 p = kPow.p[0];
  unrolled<4>([&](int i) TENURE_LAMBDA { p = p * z + kPow.p[i + 1]; });
  return to_double(y) * (exponent + p * s);
}

/// Returns 2^(whole + r) for an integer `whole` in [-126, 127] and |r| <= 1 / 2.
inline F32 exp2_split(F32 whole, F32 r) {
  F32 p = kPow.q[0];
  unrolled<5>([&](int i) TENURE_LAMBDA { p = madd(p, r, kPow.q[i + 1]); });
  return madd(p, r, kExp.one) * exp2_from_bits(to_int(whole).v);
}

/// Returns a^b by JavaScript's rules: NaN where b is NaN, and where 1 or -1 is raised to an infinity (C
/// returns 1).
inline float pow_lane(float a, float b) {
  const bool no_number = b != b || (std::abs(a) == 1 && std::isinf(b));
  return no_number ? std::numeric_limits<float>::quiet_NaN() : std::pow(a, b);
}
inline F32 pow(F32 x, F32 y) {
  // The most common power is the square, and x * x is the same number to the last bit.
  if (all(y == F32(2))) return x * x;
  const F32 a = abs(x);
  const F32 n = round_even(y);
  const Mask has_sign = x < F32(0);
  // At 2^24 and above, a float cannot represent whether an integer is odd.
  const Mask is_usual =
      a >= kLog.least && a <= kLog.most && abs(y) < F32(16777216.0F) && (x > F32(0) || n == y);
  // Selected lane by lane: lanes past the end of a tensor hold arbitrary values, and must not affect how the
  // others are rounded.
  const F64 product = multiply_by_log2(y, select(is_usual, a, F32(1)));
  const F32 whole = round_even(to_float(product));
  const Mask is_near = is_usual && abs(whole) < F32(126);
  const F32 power = exp2_split(whole, to_float(product - to_double(whole)));
  const Mask is_negative{(has_sign.v & (to_int(n).v << 31)) != 0};
  const F32 near = select(is_negative, -power, power);
  return all(is_near) ? near : select(is_near, near, map_lanes(x, y, pow_lane));
}
/// Returns x^y with wraparound. Negative powers are truncated to 0 except for x = 1 and -1; 0 to a negative
/// power is 0.
inline I32 pow(I32 x, I32 y) {
  return map_lanes(x, y, [](std::int32_t a, std::int32_t b) {
    if (b < 0) return a == 1 ? 1 : a == -1 ? 1 - 2 * (b & 1) : 0;
    std::uint32_t power = 1;
    auto square = static_cast<std::uint32_t>(a);
    for (; b != 0; b >>= 1) {
      if (b & 1) power *= square;
      square *= square;
    }
    return static_cast<std::int32_t>(power);
  });
}

}  // namespace tenure::simd
