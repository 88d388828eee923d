#pragma once

#include "cpu/simd/simd_math.h"

/// Trigonometric functions and their inverses on lanes, in radians. The polynomials are from Cephes (S.
/// Moshier, netlib.org/cephes: sinf.c, tanf.c, atanf.c, asinf.c).
namespace tenure::simd {

constexpr float kPi = 3.14159265F;

/// Range reduction x = n * pi/2 + r, for |x| below kMaxAngle. Computed in double: in float, r would lose its
/// digits near multiples of pi/2.
struct Angle {
  static constexpr float kMaxAngle = 65536;
  explicit Angle(F32 x) {
    const F32 whole = round_even(x * 0.636619772367581343F);
    n = to_int(whole);
    // pi/2 as a sum of two doubles; the first has 33 bits, so that its product with n is exact.
    const F64 wide = to_double(whole);
    r = to_float(to_double(x) - wide * 1.57079632673412561417 - wide * 6.07710050650619224932e-11);
  }
  F32 sin() const {
    const F32 z = r * r;
    F32 p = -1.9515295891e-4F;
    p = madd(p, z, 8.3321608736e-3F);
    p = madd(p, z, -1.6666654611e-1F);
    return madd(p * z, r, r);
  }
  F32 cos() const {
    const F32 z = r * r;
    F32 p = 2.443315711809948e-5F;
    p = madd(p, z, -1.388731625493765e-3F);
    p = madd(p, z, 4.166664568298827e-2F);
    return madd(p, z * z, 1.0F - 0.5F * z);
  }
  /// Returns sin(r + quadrant * pi/2).
  F32 sin_from(I32 quadrant) const {
    const Mask is_odd{(quadrant.v & 1) != 0};
    return from_bits(bits(select(is_odd, cos(), sin())) ^ ((quadrant.v & 2) << 30));
  }
  F32 r;
  I32 n;
};

inline F32 sin(F32 x) {
  if (!all(abs(x) < F32(Angle::kMaxAngle))) return map_lanes(x, [](float a) { return std::sin(a); });
  const Angle angle(x);
  return select(x == F32(0), x, angle.sin_from(angle.n));
}
inline F32 cos(F32 x) {
  if (!all(abs(x) < F32(Angle::kMaxAngle))) return map_lanes(x, [](float a) { return std::cos(a); });
  const Angle angle(x);
  return angle.sin_from(angle.n + I32(1));
}

inline F32 tan(F32 x) {
  if (!all(abs(x) < F32(Angle::kMaxAngle))) return map_lanes(x, [](float a) { return std::tan(a); });
  const Angle angle(x);
  const F32 z = angle.r * angle.r;
  F32 p = 9.38540185543e-3F;
  p = madd(p, z, 3.11992232697e-3F);
  p = madd(p, z, 2.44301354525e-2F);
  p = madd(p, z, 5.34112807005e-2F);
  p = madd(p, z, 1.33387994085e-1F);
  p = madd(p, z, 3.33331568548e-1F);
  const F32 y = madd(p * z, angle.r, angle.r);
  const Mask is_odd{(angle.n.v & 1) != 0};
  return select(x == F32(0), x, select(is_odd, -1.0F / y, y));
}

inline F32 atan_unit(F32 x) {
  const Mask is_large = x > F32(0.414213562F);
  const F32 r = select(is_large, (x - 1.0F) / (x + 1.0F), x);
  const F32 z = r * r;
  F32 p = 8.05374449538e-2F;
  p = madd(p, z, -1.38776856032e-1F);
  p = madd(p, z, 1.99777106478e-1F);
  p = madd(p, z, -3.33329491539e-1F);
  // The rounding error of pi/4 as a float is most of an ulp, so it is added back.
  const F32 tail = select(is_large, F32(-2.18556941e-8F), F32(0));
  return select(is_large, F32(kPi / 4), F32(0)) + (madd(p * z, r, tail) + r);
}
/// Returns atan(y / x) for x, y >= 0.
inline F32 atan2_nonnegative(F32 y, F32 x) {
  const Mask is_steep = y > x;
  const F32 low = min(x, y);
  const F32 high = max(x, y);
  const F32 quotient = select(low == high, select(high == F32(0), high, F32(1)), low / high);
  const F32 angle = atan_unit(quotient);
  return select(is_steep, kPi / 2 - angle, angle);
}
inline F32 atan(F32 x) { return select(x == x, apply_sign(x, atan2_nonnegative(abs(x), F32(1))), x); }
inline F32 atan2(F32 y, F32 x) {
  const F32 angle = atan2_nonnegative(abs(y), abs(x));
  const Mask is_back{bits(x) < 0};
  const F32 whole = select(is_back, kPi - angle, angle);
  return select(x == x && y == y, apply_sign(y, whole), x + y);
}

/// Arc sine of a in [0, 1]: `part` is asin(a), or (pi/2 - asin(a)) / 2 where a > 1/2. For a > 1 the square
/// root makes it NaN.
struct Arc {
  explicit Arc(F32 a) : is_large(a > F32(0.5F)) {
    const F32 z = select(is_large, 0.5F - 0.5F * a, a * a);
    const F32 s = select(is_large, sqrt(z), a);
    F32 p = 4.2163199048e-2F;
    p = madd(p, z, 2.4181311049e-2F);
    p = madd(p, z, 4.5470025998e-2F);
    p = madd(p, z, 7.4953002686e-2F);
    p = madd(p, z, 1.6666752422e-1F);
    part = madd(p * z, s, s);
  }
  Mask is_large;
  F32 part;
};
inline F32 asin(F32 x) {
  const Arc arc(abs(x));
  const F32 angle = select(arc.is_large, kPi / 2 - (arc.part + arc.part), arc.part);
  return select(angle == angle, apply_sign(x, angle), angle);
}
inline F32 acos(F32 x) {
  const Arc arc(abs(x));
  const Mask is_negative = x < F32(0);
  const F32 twice = arc.part + arc.part;
  const F32 near_end = select(is_negative, kPi - twice, twice);
  return select(arc.is_large, near_end, kPi / 2 - select(is_negative, -arc.part, arc.part));
}

}  // namespace tenure::simd
