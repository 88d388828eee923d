#pragma once

#include "cpu/simd/simd_double.h"
#include "cpu/simd/simd_wide.h"

/// Transcendental functions on lanes. The polynomials are from Cephes (S. Moshier, netlib.org/cephes: expf.c,
/// logf.c, tanhf.c, sinhf.c) unless noted otherwise; errors stay within about 2 ulp over the whole range.
namespace tenure::simd {

/// Constants of exp() and expm1(). They are extern, so that the compiler cannot see their values: V8
/// materializes a constant vector with four instructions per use, but loads one with a single instruction.
struct ExpConstants {
  F32 least = -104.0F;
  F32 min_normal = -87.3365402F;
  F32 square_of_moderate = 80.0F * 80.0F;
  F32 most = 89.0F;
  F32 log2_e = 1.44269504088896341F;
  F32 ln2_high = 0.693359375F;
  F32 ln2_low = -2.12194440e-4F;
  /// 1.5 * 2^23: adding and subtracting it rounds to an integer, which also stands in the low bits of the
  /// sum.
  F32 rounder = 12582912.0F;
  F32 zero = 0.0F;
  F32 one = 1.0F;
  F32 half = 0.5F;
  // (exp(r) - 1 - r - r^2 / 2) / r^3 for |r| <= ln(2) / 2, fitted by the Remez exchange algorithm. exp() then
  // has a relative error of 4.4e-9.
  F32 p0 = 0.166664883F;
  F32 p1 = 0.0416655503F;
  F32 p2 = 0.00837230124F;
  F32 p3 = 0.00140355248F;
  // The same polynomial with one more term, for expm1(), whose result may be much smaller than exp's.
  F32 q[6] = {1.9875691500e-4F, 1.3981999507e-3F, 8.3334519073e-3F,
              4.1665795894e-2F, 1.6666665459e-1F, 5.0000001201e-1F};
  // (exp(r) - 1) / r, fitted by the Remez exchange algorithm, with one term less. exp(r) then has a relative
  // error of 9.2e-8.
  F32 e[5] = {8.29029735e-3F, 4.18980233e-2F, 1.66676372e-1F, 4.99991477e-1F, 9.99999702e-1F};
  // Below `flat` expm1(x) is -1; for |x| below `tiny` it is x.
  F32 flat = -30.0F;
  F32 tiny = 2.9802322e-8F;
  // exp() arguments below this need the factor power_of_two(-127), which is 0.
  F32 vanishing = -88.0296936F;
};
extern const ExpConstants kExp;

/// Returns the polynomial of x with the coefficients `p`, from that of the highest power on, by Horner's
/// scheme. V is F32 or Wide.
template <class V, std::size_t N>
TENURE_INLINE V evaluate_polynomial(const V& x, const F32 (&p)[N]) {
  V sum = madd(x, p[0], p[1]);
  unrolled<N - 2>([&](int i) TENURE_LAMBDA { sum = madd(sum, x, p[i + 2]); });
  return sum;
}

/// Constants of exp2_nonpositive(), extern for the same reason as ExpConstants.
struct Exp2Constants {
  F32 vanishing = -127.0F;
  F32 rounder = 12582912.0F;
  F32 one = 1.0F;
  // (2^r - 1) / r for |r| <= 1 / 2, fitted by the Remez exchange algorithm. 2^r then has a relative error of
  // 9.2e-8.
  F32 e[5] = {1.32647000e-3F, 9.67153398e-3F, 5.55073400e-2F, 2.40222418e-1F, 6.93146977e-1F};
};
extern const Exp2Constants kExp2;

/// Range reduction of exp: exp(x) = 2^n * (1 + r + r^2 * polynomial()), for |x| up to 2^21. V is F32 or Wide.
template <class V>
struct ExpParts {
  TENURE_INLINE explicit ExpParts(const V& x) : sum(madd(x, kExp.log2_e, kExp.rounder)) {
    const V n = sum - kExp.rounder;
    r = nmadd(n, kExp.ln2_low, nmadd(n, kExp.ln2_high, x));
  }
  TENURE_INLINE V polynomial() const {
    return madd(madd(madd(madd(r, kExp.p3, kExp.p2), r, kExp.p1), r, kExp.p0), r, kExp.half);
  }
  /// Returns exp(x) / 2^n * scale.
  TENURE_INLINE V scaled(const V& scale) const {
    const V p = madd(polynomial(), r, kExp.one);
    return madd(r * scale, p, scale);
  }

  V r;
  V sum;  ///< its low nine bits hold n
};

/// Returns 2^k for the integer k in the low bits of `k_bits`, k in [-126, 127]; 0 for k = -127.
inline F32 exp2_from_bits(RawI32 k_bits) { return from_bits((k_bits << 23) + bits(kExp.one)); }
inline F32 power_of_two(F32 sum) { return exp2_from_bits(bits(sum)); }
template <int N>
TENURE_INLINE Wide<N> power_of_two(const Wide<N>& sum) {
  return make_wide<N>([&](int i) TENURE_LAMBDA { return power_of_two(sum.v[i]); });
}

inline F32 exp(F32 x) {
  const ExpParts<F32> parts(min(max(x, kExp.least), kExp.most));
  // Two factors, so that neither leaves the exponent range where the result is huge or subnormal.
  const RawI32 n = bits(parts.sum);
  const RawI32 half = n >> 1;
  return parts.scaled(exp2_from_bits(half)) * exp2_from_bits(n - half);
}

/// True if neither exp(x) nor exp(-x) is close to subnormal or infinite in any lane. Compares the sum of
/// squares over the vectors, which takes one instruction per vector; so it is false for some moderate values,
/// and for NaN.
template <int N>
TENURE_INLINE bool is_moderate(const Wide<N>& x) {
  F32 squares = x.v[0] * x.v[0];
  unrolled<N - 1>([&](int i) TENURE_LAMBDA { squares = madd(x.v[i + 1], x.v[i + 1], squares); });
  return all(squares <= kExp.square_of_moderate);
}

/// Returns exp(x) for any x, out of line.
F32 exp_full_range(F32 x);
template <int N>
TENURE_INLINE Wide<N> exp(const Wide<N>& x) {
  if (is_moderate(x)) {
    const ExpParts<Wide<N>> parts(x);
    return parts.scaled(power_of_two(parts.sum));
  }
  return make_wide<N>([&](int i) TENURE_LAMBDA { return exp_full_range(x.v[i]); });
}

/// Returns exp(x) for x <= 0. Results below 2^-126.5 are flushed to 0, because power_of_two(-127) is 0. Does
/// a third less work than exp().
template <class V>
TENURE_INLINE V exp_nonpositive(const V& x) {
  const ExpParts<V> parts(max(x, kExp.vanishing));
  return parts.scaled(power_of_two(parts.sum));
}

/// Returns 2^x for x <= 0, within 3 ulp; results below 2^-126.5 are flushed to 0. Does three quarters of
/// exp_nonpositive()'s work. Loops pass a local copy of kExp2: stores cannot alias it, so it stays in
/// registers.
template <class V>
TENURE_INLINE V exp2_nonpositive(const V& x, const Exp2Constants& constants) {
  const V at = max(x, constants.vanishing);
  const V sum = at + constants.rounder;
  const V r = at - (sum - constants.rounder);
  return madd(evaluate_polynomial(r, constants.e), r, constants.one) * power_of_two(sum);
}

/// Returns -|x|.
inline F32 negative_abs(F32 x) { return from_bits(bits(x) | bits(kSignBits)); }
template <int N>
TENURE_INLINE Wide<N> negative_abs(const Wide<N>& x) {
  return make_wide<N>([&](int i) TENURE_LAMBDA { return negative_abs(x.v[i]); });
}

/// Returns x with the sign bit of y; x must not be negative.
inline F32 apply_sign(F32 y, F32 x) { return from_bits(bits(x) | (bits(y) & bits(kSignBits))); }
template <int N>
TENURE_INLINE Wide<N> apply_sign(const Wide<N>& y, const Wide<N>& x) {
  return make_wide<N>([&](int i) TENURE_LAMBDA { return apply_sign(y.v[i], x.v[i]); });
}

/// Returns 1 / (1 + exp(-x)), within 3 ulp, for x whose exponential and quotient are both normal.
template <class V>
TENURE_INLINE V sigmoid_moderate(const V& x) {
  // This is ExpParts of -x with r negated, which costs nothing.
  const V sum = nmadd(x, kExp.log2_e, kExp.rounder);
  const V n = sum - kExp.rounder;
  const V r = madd(n, kExp.ln2_low, madd(n, kExp.ln2_high, x));
  V e = nmadd(r, kExp.e[0], kExp.e[1]);
  unrolled<3>([&](int i) TENURE_LAMBDA { e = nmadd(e, r, kExp.e[i + 2]); });
  e = nmadd(e, r, kExp.one);
  return kExp.one / madd(e, power_of_two(sum), kExp.one);
}

/// Returns sigmoid(x) for any x, out of line.
F32 sigmoid_full_range(F32 x);
inline F32 sigmoid(F32 x) {
  return all(negative_abs(x) >= kExp.min_normal) ? sigmoid_moderate(x) : sigmoid_full_range(x);
}
template <int N>
TENURE_INLINE Wide<N> sigmoid(const Wide<N>& x) {
  if (is_moderate(x)) return sigmoid_moderate(x);
  return make_wide<N>([&](int i) TENURE_LAMBDA { return sigmoid_full_range(x.v[i]); });
}

/// Constants of log(), extern for the same reason as ExpConstants.
/// log(1 + m) = m - m^2 / 2 + m^3 * polynomial(m).
struct LogConstants {
  F32 least = 1.17549435e-38F;
  F32 most = 3.40282347e+38F;
  F32 one = 1.0F;
  F32 half = 0.5F;
  F32 ln2_high = 0.693359375F;
  F32 ln2_low = -2.12194440e-4F;
  F32 sqrt_half = 0.707106781186547524F;
  F32 p[9] = {7.0376836292e-2F,  -1.1514610310e-1F, 1.1676998740e-1F,  -1.2420140846e-1F, 1.4249322787e-1F,
              -1.6668057665e-1F, 2.0000714765e-1F,  -2.4999993993e-1F, 3.3333331174e-1F};
};
extern const LogConstants kLog;

/// Splits a normal x > 0 into significand * 2^exponent and returns the exponent. The significand is in
/// [sqrt(1/2), sqrt(2)).
inline F32 split_exponent(F32 x, F32& significand) {
  const RawI32 exponent = (bits(x) - bits(kLog.sqrt_half)) >> 23;
  significand = from_bits(bits(x) - (exponent << 23));
  return to_float(I32(exponent));
}
template <int N>
TENURE_INLINE Wide<N> split_exponent(const Wide<N>& x, Wide<N>& significand) {
  return make_wide<N>([&](int i) TENURE_LAMBDA { return split_exponent(x.v[i], significand.v[i]); });
}

/// Returns log(x * 2^shift) for normal x > 0.
template <class V>
TENURE_INLINE V log_normal_range(const V& x, F32 shift) {
  V significand;
  const V e = split_exponent(x, significand) + shift;
  const V m = significand - kLog.one;
  const V p = evaluate_polynomial(m, kLog.p);
  const V z = m * m;
  const V y = nmadd(z, kLog.half, madd(e, kLog.ln2_low, p * m * z));
  return madd(e, kLog.ln2_high, m + y);
}

F32 log_full_range(F32 x);
inline F32 log(F32 x) {
  if (!all(x >= kLog.least && x <= kLog.most)) return log_full_range(x);
  return log_normal_range(x, F32(0));
}
template <int N>
TENURE_INLINE Wide<N> log(const Wide<N>& x) {
  Mask normal = x.v[0] >= kLog.least;
  unrolled<N>([&](int i) TENURE_LAMBDA { normal = normal && x.v[i] >= kLog.least && x.v[i] <= kLog.most; });
  if (!all(normal)) return make_wide<N>([&](int i) TENURE_LAMBDA { return log_full_range(x.v[i]); });
  return log_normal_range(x, F32(0));
}

/// Returns exp(x) - 1 for x < 80.
template <class V>
TENURE_INLINE V expm1_below_80(const V& x) {
  const ExpParts<V> parts(max(x, kExp.flat));
  const V small = madd(evaluate_polynomial(parts.r, kExp.q), parts.r * parts.r, parts.r);
  const V scale = power_of_two(parts.sum);
  // Below 2^-25 the polynomial returns x, except for the sign of -0.
  return select(abs(x) < kExp.tiny, x, madd(small, scale, scale - kExp.one));
}
/// Returns exp(x) - 1 for any x, out of line: NaN, and x whose exp(x) needs two factors.
F32 expm1_full_range(F32 x);
inline F32 expm1(F32 x) { return all(x < F32(80.0F)) ? expm1_below_80(x) : expm1_full_range(x); }
template <int N>
TENURE_INLINE Wide<N> expm1(const Wide<N>& x) {
  Mask is_below = x.v[0] < F32(80.0F);
  unrolled<N>([&](int i) TENURE_LAMBDA { is_below = is_below && x.v[i] < F32(80.0F); });
  if (all(is_below)) return expm1_below_80(x);
  return make_wide<N>([&](int i) TENURE_LAMBDA { return expm1_full_range(x.v[i]); });
}

/// Returns log(1 + x), with W. Kahan's correction for the rounding of 1 + x.
inline F32 log1p(F32 x) {
  const F32 u = 1.0F + x;
  const F32 log_u = log(u);
  const F32 finite = select(u == F32(1), x, log_u - ((u - 1.0F) - x) / u);
  return select(u > F32(0) && u < F32(kInfinity), finite, log_u);
}

/// Constants of tanh(), extern for the same reason as ExpConstants: tanh(x) = x + x^3 * polynomial(x^2) for
/// |x| < `most`.
struct TanhConstants {
  F32 most = 0.625F;
  F32 p[5] = {-5.70498872745e-3F, 2.06390887954e-2F, -5.37397155531e-2F, 1.33314422036e-1F,
              -3.33332819422e-1F};
};
extern const TanhConstants kTanh;

template <class V>
TENURE_INLINE V tanh(const V& x) {
  const V z = x * x;
  const V small = x * madd(evaluate_polynomial(z, kTanh.p), z, kExp.one);
  const V away = negative_abs(x);
  const V e = exp_nonpositive(away + away);
  const V magnitude = kExp.one - (e + e) / (e + kExp.one);
  const V large = apply_sign(x, magnitude);
  return select(abs(x) < kTanh.most, small, large);
}

/// Constants of erf(), extern for the same reason as ExpConstants. Chebyshev fits of erf(x) / x - 1 over x^2
/// for |x| < 1, and of -log(1 - erf(x)) for 1 <= |x| <= `most`.
struct ErfConstants {
  F32 near[7] = {7.87587506e-5F, -8.01686429e-4F, 5.18908742e-3F, -2.68542120e-2F,
                 1.12835947e-1F, -3.76126267e-1F, 1.28379166e-1F};
  F32 far[9] = {-1.63715141e-6F, 4.60580427e-5F, -5.96805626e-4F, 4.75959629e-3F, -2.64211360e-2F,
                1.10080083e-1F,  6.31826052e-1F, 1.13023343F,     -3.20138050e-4F};
  F32 most = 4.0F;
};
extern const ErfConstants kErf;

template <class V>
TENURE_INLINE V erf(const V& x) {
  const V near = evaluate_polynomial(x * x, kErf.near);
  const V far = evaluate_polynomial(min(abs(x), kErf.most), kErf.far);
  const V large = apply_sign(x, kExp.one - exp_nonpositive(-far));
  return select(abs(x) < kExp.one, madd(near, x, x), large);
}

/// Returns exp(x) / 2 for x >= 0, which overflows later than exp(x).
inline F32 half_exp(F32 x) {
  const ExpParts<F32> parts(min(x, F32(90.0F)));
  const RawI32 n = bits(parts.sum);
  const RawI32 half = n >> 1;
  return parts.scaled(exp2_from_bits(half)) * exp2_from_bits(n - half - 1);
}
inline F32 sinh(F32 x) {
  const F32 z = x * x;
  F32 p = 2.03721912945e-4F;
  p = madd(p, z, 8.33028376239e-3F);
  p = madd(p, z, 1.66667160211e-1F);
  const F32 e = half_exp(abs(x));
  const F32 far = select(x < F32(0), 0.25F / e - e, e - 0.25F / e);
  return select(abs(x) <= F32(1), madd(p * z, x, x), select(x == x, far, x));
}
inline F32 cosh(F32 x) {
  const F32 e = half_exp(abs(x));
  return select(x == x, e + 0.25F / e, x);
}

/// Above this, x^2 comes near to overflow, and the 1 in sqrt(x^2 + 1) is lost in rounding.
constexpr float kMaxSquareable = 1e18F;
constexpr float kLn2 = 0.693147181F;
inline F32 asinh(F32 x) {
  const F32 a = abs(x);
  const F32 y = log1p(a + a * (a / (1.0F + sqrt(madd(a, a, 1.0F)))));
  return select(x == x, apply_sign(x, select(a < F32(kMaxSquareable), y, log(a) + kLn2)), x);
}
inline F32 acosh(F32 x) {
  const F32 above = x - 1.0F;
  const F32 y = log1p(above + sqrt(above * (above + 2.0F)));
  const F32 full_range = select(x < F32(kMaxSquareable), y, log(x) + kLn2);
  return select(x >= F32(1), full_range, F32(std::numeric_limits<float>::quiet_NaN()));
}
inline F32 atanh(F32 x) {
  const F32 a = abs(x);
  const F32 y = 0.5F * log1p((a + a) / (1.0F - a));
  return select(y == y, apply_sign(x, y), y);
}

inline F32 divide(F32 x, F32 y) { return x / y; }
/// Returns the quotient rounded down; 0 where y is 0.
inline I32 divide(I32 x, I32 y) {
  return map_lanes(x, y, [](std::int32_t a, std::int32_t b) {
    if (b == 0) return 0;
    if (b == -1) return static_cast<std::int32_t>(-static_cast<std::uint32_t>(a));
    const std::int32_t quotient = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
  });
}
/// Returns the remainder with the divisor's sign.
inline F32 floor_mod(F32 x, F32 y) {
  // Quotients below 2^28: their products with the divisor are exact in double.
  const F32 bound = abs(y) * 268435456.0F;
  if (all(abs(x) < bound && bound < F32(kInfinity))) {
    const F64 of = to_double(x);
    const F64 by = to_double(y);
    const F32 remainder = to_float(of - floor(of / by) * by);
    return select(remainder == F32(0), apply_sign(x, abs(remainder)), remainder);
  }
  return map_lanes(x, y, [](float a, float b) {
    const float remainder = std::fmod(a, b);
    return remainder != 0 && (remainder < 0) != (b < 0) ? remainder + b : remainder;
  });
}
/// Returns the remainder with the divisor's sign; 0 where y is 0.
inline I32 floor_mod(I32 x, I32 y) { return select(y == I32(0), I32(0), x - divide(x, y) * y); }

}  // namespace tenure::simd
