#pragma once

#include <string_view>

#include "gl/shader/glsl.h"

namespace tenure::gl {

/// A GLSL function, and its overloads, that sources can call.
struct GlslFunction {
  std::string_view name;
  std::string_view definition;
};

/// The functions of functions_for(). Each may call those above it. One that replaces a GLSL built-in has
/// another name, and a macro substitutes it.
constexpr GlslFunction kFunctions[] = {
    {"idiv", R"(
      // e / d for 0 <= e. Software renderers divide integers one lane at a time.
      int idiv(int e, int d) {
      #ifdef DIVIDES_IN_FLOAT
        return int((float(e) + .5) / float(d));
      #else
        return e / d;
      #endif
      }
    )"_glsl},
    {"imod", "int imod(int e, int d) { return e - idiv(e, d) * d; }\n"_glsl},
    {"is_nan", R"(
      // Compilers assume that x != x is false.
      bvec4 is_nan(vec4 x) { return greaterThan(floatBitsToUint(x) & 0x7fffffffu, uvec4(0x7f800000u)); }
      bvec4 is_nan(ivec4 x) { return bvec4(false); }
    )"_glsl},
    {"select", R"(
      vec4 select(bvec4 m, vec4 a, vec4 b) { return mix(b, a, m); }
      ivec4 select(bvec4 m, ivec4 a, ivec4 b) {
        return ivec4(m.x ? a.x : b.x, m.y ? a.y : b.y, m.z ? a.z : b.z, m.w ? a.w : b.w);
      }
    )"_glsl},
    {"both", "bvec4 both(bvec4 a, bvec4 b) { return bvec4(uvec4(a) * uvec4(b)); }\n"_glsl},
    {"max", R"(
      // Returns NaN if the first argument is NaN. GPUs return the other, even where a < b implies otherwise.
      vec4 max_(vec4 a, vec4 b) { return mix(mix(a, b, lessThan(a, b)), a, is_nan(a)); }
      ivec4 max_(ivec4 a, ivec4 b) { return max(a, b); }
      float max_(float a, float b) { return max_(vec4(a), vec4(b)).x; }
      int max_(int a, int b) { return max(a, b); }
      #define max max_
    )"_glsl},
    {"min", R"(
      vec4 min_(vec4 a, vec4 b) { return mix(mix(a, b, lessThan(b, a)), a, is_nan(a)); }
      ivec4 min_(ivec4 a, ivec4 b) { return min(a, b); }
      float min_(float a, float b) { return min_(vec4(a), vec4(b)).x; }
      int min_(int a, int b) { return min(a, b); }
      #define min min_
    )"_glsl},
    {"floor", R"(
      vec4 floor_(vec4 x) { return floor(x); }
      float floor_(float x) { return floor(x); }
      ivec4 floor_(ivec4 x) { return x; }
      #define floor floor_
    )"_glsl},
    {"ceil", R"(
      vec4 ceil_(vec4 x) { return ceil(x); }
      ivec4 ceil_(ivec4 x) { return x; }
      #define ceil ceil_
    )"_glsl},
    {"round_even", R"(
      vec4 round_even(vec4 x) { return roundEven(x); }
      ivec4 round_even(ivec4 x) { return x; }
    )"_glsl},
    // SwiftShader returns infinities and large numbers for NaN and 0, and sines with errors of 2e-4.
    {"exp", R"(
      vec4 exp_(vec4 x) { return mix(exp(x), x, is_nan(x)); }
      float exp_(float x) { return exp_(vec4(x)).x; }
      #define exp exp_
    )"_glsl},
    {"sigmoid", R"(
      vec4 sigmoid(vec4 x) {
        vec4 e = exp(-abs(x));
        return mix(vec4(1), e, lessThan(x, vec4(0))) / (1. + e);
      }
    )"_glsl},
    {"log", R"(
      // Cephes logf.c. GPUs' own logarithms have an absolute error bound, which is useless near 1.
      vec4 log_(vec4 x) {
        ivec4 b = floatBitsToInt(x), k = (b - 0x3f3504f3) >> 23;
        vec4 m = intBitsToFloat(b - (k << 23)) - 1.,
            e = vec4(k),
            z = m * m,
            y = 7.0376836292e-2 * m - 1.1514610310e-1;
        y = y * m + 1.1676998740e-1;
        y = y * m - 1.2420140846e-1;
        y = y * m + 1.4249322787e-1;
        y = y * m - 1.6668057665e-1;
        y = y * m + 2.0000714765e-1;
        y = y * m - 2.4999993993e-1;
        y = y * m + 3.3333331174e-1;
        y = y * m * z - e * 2.12194440e-4 - .5 * z;
        y = m + y + e * .693359375;
        y = mix(mix(y, vec4(-kInfinity), equal(x, vec4(0))), x, equal(x, vec4(kInfinity)));
        return mix(y, vec4(uintBitsToFloat(0x7fc00000u)), not(greaterThanEqual(x, vec4(0))));
      }

      float log_(float x) { return log_(vec4(x)).x; }
      #define log log_
    )"_glsl},
    {"waves", R"(
      // Reduces a large x to n * pi/2 + r (Payne and Hanek 1983): the significand, shifted left by up to 7
      // bits so that the exponent becomes a multiple of 8, times those bits of 2/pi whose product with x is
      // below 4, in units of 2^-30.
      void reduce(float x, out float n, out float r) {
        const uint bits[19] = uint[19](
            0xa2f9u, 0xa2f983u, 0xa2f9836eu, 0xf9836e4eu, 0x836e4e44u, 0x6e4e4415u, 0x4e441529u, 0x441529fcu,
            0x1529fc27u, 0x29fc2757u, 0xfc2757d1u, 0x2757d1f5u, 0x57d1f534u, 0xd1f534ddu, 0xf534ddc0u,
            0x34ddc0dbu, 0xddc0db62u, 0xc0db6295u, 0xdb629599u);
        int b = floatBitsToInt(abs(x)), k = (b >> 26) - 17;
        uint m = uint(int(intBitsToFloat(b - (k << 26) + 0x7000000)));
        uint low = bits[k + 4],
            a = m >> 16,
            d = low >> 16,
            high = m * bits[k] + a * d + (a * (low & 0xffffu) >> 16) + ((m & 0xffffu) * d >> 16);
        uint q = high + 0x20000000u >> 30;
        n = sign(x) * float(q);
        r = sign(x) * float(int(high - (q << 30))) * 1.4629180792671596e-9;
      }

      // Computes sine and cosine of x - n * pi/2 and returns n as an integer: Cephes sinf.c, pi/2 in three
      // parts. NaN for x that is not finite. Large components are reduced one at a time, as software
      // renderers run a loop's body once even if no component is large.
      ivec4 waves(vec4 x, out vec4 s, out vec4 c) {
        vec4 a = abs(x), n = roundEven(x * .636619772);
        vec4 r = x - n * 1.5703125 - n * 4.837512969970703e-4 - n * 7.549789948768648e-8;
        bvec4 far = greaterThanEqual(a, vec4(8192));
        while (any(far)) {
          bvec4 one = bvec4(far.x, !far.x && far.y, !far.x && !far.y && far.z, !any(far.xyz) && far.w);
          float N, R;
          reduce(far.x ? x.x : far.y ? x.y : far.z ? x.z : x.w, N, R);
          n = mix(n, vec4(N), one);
          r = mix(r, vec4(R), one);
          far = both(far, not(one));
        }
        r = mix(vec4(uintBitsToFloat(0x7fc00000u)), r, lessThan(a, vec4(kInfinity)));
        vec4 z = r * r;
        s = r + r * z * (-1.6666654611e-1 + z * (8.3321608736e-3 - z * 1.9515295891e-4));
        c = 1. - .5 * z + z * z * (4.166664568298827e-2 +
            z * (-1.388731625493765e-3 + z * 2.443315711809948e-5));
        return ivec4(n);
      }
    )"_glsl},
    {"wave", R"(
      // Computes the sine of x + shift * pi/2.
      vec4 wave(vec4 x, int shift) {
        vec4 s, c;
        ivec4 n = waves(x, s, c) + shift;
        s = mix(s, c, equal(n & 1, ivec4(1)));
        return mix(s, -s, equal(n & 2, ivec4(2)));
      }
    )"_glsl},
    {"sin", R"(
      vec4 sin_(vec4 x) { return wave(x, 0); }
      #define sin sin_
    )"_glsl},
    {"cos", R"(
      vec4 cos_(vec4 x) { return wave(x, 1); }
      #define cos cos_
    )"_glsl},
    {"tan", R"(
      vec4 tan_(vec4 x) {
        vec4 s, c;
        bvec4 odd = equal(waves(x, s, c) & 1, ivec4(1));
        return mix(s, -c, odd) / mix(c, s, odd);
      }
      #define tan tan_
    )"_glsl},
    {"expm1", R"(
      vec4 expm1(vec4 x) {
        vec4 p = x * (1. + x * (.5 + x * (1. / 6. + x * (1. / 24. +
            x * (1. / 120. + x * (1. / 720. + x / 5040.))))));
        return mix(exp(x) - 1., p, lessThan(abs(x), vec4(.5)));
      }
    )"_glsl},
    {"log1p", R"(
      // Power series of 2 atanh(x / (2 + x)), where rounding 1 + x would lose digits.
      vec4 log1p(vec4 x) {
        vec4 s = x / (1. + .5 * x),
            z = .25 * s * s,
            p = s * (1. + z * (1. / 3. + z * (.2 + z * (1. / 7. + z / 9.))));
        return mix(log(1. + x), p, lessThan(abs(x - .1), vec4(.4)));
      }
    )"_glsl},
    {"tanh", R"(
      vec4 tanh_(vec4 x) {
        vec4 z = x * x;
        vec4 p = x * (1. + z * (-3.33332819422e-1 + z * (1.33314422036e-1 +
            z * (-5.37397155531e-2 + z * (2.06390887954e-2 - z * 5.70498872745e-3)))));
        vec4 l = sign(x) * (1. - 2. / (exp(abs(x) * 2.) + 1.));
        return mix(mix(l, p, lessThan(abs(x), vec4(.625))), x, is_nan(x));
      }
      #define tanh tanh_
    )"_glsl},
    {"divide", R"(
      vec4 divide(vec4 x, vec4 y) { return x / y; }

      // Rounds down; returns 0 if y is 0. Division of the smallest integer by -1 overflows.
      int divide(int x, int y) {
        if (y == 0) return 0;
        if (y == -1) return -x;
        int q = x / y;
        return q * y != x && (x < 0) != (y < 0) ? q - 1 : q;
      }

      ivec4 divide(ivec4 x, ivec4 y) {
        return ivec4(divide(x.x, y.x), divide(x.y, y.y), divide(x.z, y.z), divide(x.w, y.w));
      }
    )"_glsl},
    {"floor_mod", R"(
      // Long division, each step of which is exact; a rounded quotient would lose the remainder. It starts
      // with y's significand at x's exponent. A subnormal y has no normalized significand, and is doubled up
      // instead.
      vec4 floor_mod(vec4 x, vec4 y) {
        vec4 a = abs(x),
            b = abs(y),
            r = a,
            t = mix(b, intBitsToFloat(floatBitsToInt(a) & 0x7f800000 | floatBitsToInt(b) & 0x7fffff),
                    greaterThanEqual(b, vec4(1.17549435e-38)));
        bvec4 fits =
            both(both(lessThan(a, vec4(kInfinity)), greaterThanEqual(a, b)), greaterThan(b, vec4(0)));
        for (int i = 0; i < 280; ++i) {
          bvec4 more = both(fits, lessThanEqual(t, .5 * a));
          if (!any(more)) break;
          t = mix(t, 2. * t, more);
        }
        for (int i = 0; i < 280; ++i) {
          bvec4 more = both(fits, greaterThanEqual(t, b));
          if (!any(more)) break;
          r = mix(r, r - t, both(more, greaterThanEqual(r, t)));
          t *= .5;
        }
        // Not multiplied by sign(x): Mesa computes 0 * NaN as 0.
        r = mix(vec4(uintBitsToFloat(0x7fc00000u)), r, fits);
        r = mix(r, -r, lessThan(x, vec4(0)));
        r = mix(r, x, lessThan(a, b));
        r = mix(r, r + y, both(notEqual(r, vec4(0)), notEqual(lessThan(r, vec4(0)), lessThan(y, vec4(0)))));
        return mix(r, y, is_nan(y));
      }

      ivec4 floor_mod(ivec4 x, ivec4 y) { return select(equal(y, ivec4(0)), ivec4(0), x - divide(x, y) * y); }
    )"_glsl},
    {"pow", R"(
      // NaN if the exponent is NaN, and for 1 or -1 raised to an infinity, as in JavaScript.
      vec4 pow_(vec4 x, vec4 y) {
        vec4 m = abs(x),
            f = floor(y),
            p = pow(m, y),
            nan = vec4(uintBitsToFloat(0x7fc00000u));
        bvec4 whole = equal(y, f),
            endless = equal(abs(y), vec4(kInfinity)),
            zero = equal(m, vec4(0)),
            infinite = equal(m, vec4(kInfinity));
        p = mix(
            p, roundEven(p),
            both(both(whole, greaterThan(y, vec4(0))), both(equal(m, floor(m)), lessThan(p, vec4(8388608)))));
        vec4 limit = mix(vec4(0), vec4(kInfinity), equal(lessThan(m, vec4(1)), lessThan(y, vec4(0))));
        p = mix(mix(mix(p, limit, zero), limit, infinite), mix(limit, nan, equal(m, vec4(1))), endless);
        bvec4 negative = lessThan(floatBitsToInt(x), ivec4(0));
        p = mix(p, -p, both(negative, both(whole, notEqual(f, 2. * floor(.5 * f)))));
        p = mix(p, nan, both(both(negative, not(whole)), both(not(zero), not(infinite))));
        p = mix(mix(p, x, is_nan(x)), y, is_nan(y));
        return mix(p, vec4(1), equal(y, vec4(0)));
      }

      int pow_(int x, int y) {
        if (y < 0) return x == 1 ? 1 : x == -1 ? 1 - 2 * (y & 1) : 0;
        int p = 1;
        for (; y > 0; y >>= 1) {
          if ((y & 1) == 1) p *= x;
          x *= x;
        }
        return p;
      }

      ivec4 pow_(ivec4 x, ivec4 y) {
        return ivec4(pow_(x.x, y.x), pow_(x.y, y.y), pow_(x.z, y.z), pow_(x.w, y.w));
      }
      #define pow pow_
    )"_glsl},
    // Cephes (S. Moshier, netlib.org/cephes): asinf.c and atanf.c. Mesa's own have errors of 2e-4.
    {"asin", R"(
      vec4 asin_(vec4 x) {
        vec4 a = abs(x);
        bvec4 far = greaterThan(a, vec4(.5));
        vec4 z = mix(x * x, .5 - .5 * a, far), s = mix(a, sqrt(z), far);
        vec4 p = s + s * z * (1.6666752422e-1 + z * (7.4953002686e-2 +
            z * (4.5470025998e-2 + z * (2.4181311049e-2 + z * 4.2163199048e-2))));
        p = mix(p, 1.5707963268 - 2. * p, far);
        return mix(sign(x) * p, vec4(uintBitsToFloat(0x7fc00000u)),
                   notEqual(lessThanEqual(a, vec4(1)), bvec4(true)));
      }
      #define asin asin_
    )"_glsl},
    {"acos", R"(
      vec4 acos_(vec4 x) {
        return mix(1.5707963268 - asin(x), 2. * asin(sqrt(.5 - .5 * x)), greaterThan(x, vec4(.5)));
      }
      #define acos acos_
    )"_glsl},
    {"atan", R"(
      vec4 atan_(vec4 x) {
        vec4 a = abs(x);
        bvec4 far = greaterThan(a, vec4(2.414213562)),
            mid = greaterThan(a, vec4(.4142135624));
        vec4 s = mix(mix(a, (a - 1.) / (a + 1.), mid), -1. / a, far), z = s * s;
        vec4 p = s + s * z * (-3.33329491539e-1 +
            z * (1.99777106478e-1 + z * (-1.38776856032e-1 + z * 8.05374449538e-2)));
        p += mix(mix(vec4(0), vec4(.7853981634), mid), vec4(1.5707963268), far);
        return mix(sign(x) * p, x, is_nan(x));
      }
      #define atan atan_
    )"_glsl},
    {"atan2", R"(
      vec4 atan2(vec4 y, vec4 x) {
        vec4 a = abs(x), b = abs(y);
        bvec4 steep = greaterThan(b, a);
        vec4 q = mix(mix(a, b, lessThan(b, a)) / mix(b, a, lessThan(b, a)), vec4(1), equal(a, b));
        vec4 r = atan(mix(q, vec4(0), equal(b, vec4(0))));
        r = mix(r, 1.5707963268 - r, steep);
        r = mix(r, 3.1415926536 - r, lessThan(floatBitsToInt(x), ivec4(0)));
        r = mix(r, -r, lessThan(floatBitsToInt(y), ivec4(0)));
        return mix(mix(r, x, is_nan(x)), y, is_nan(y));
      }
    )"_glsl},
    {"asinh", R"(
      vec4 asinh_(vec4 x) {
        vec4 a = abs(x);
        vec4 s = log1p(a + a * a / (1. + sqrt(a * a + 1.)));
        return mix(mix(sign(x) * mix(s, log(a) + .6931471806, greaterThan(a, vec4(1e9))), x,
                       equal(a, vec4(kInfinity))),
                   x, is_nan(x));
      }
      #define asinh asinh_
    )"_glsl},
    {"acosh", R"(
      vec4 acosh_(vec4 x) {
        vec4 t = max(x - 1., vec4(0));
        t = mix(log1p(t + sqrt(2. * t + t * t)), log(x) + .6931471806, greaterThan(x, vec4(1e9)));
        return mix(t, vec4(uintBitsToFloat(0x7fc00000u)), not(greaterThanEqual(x, vec4(1))));
      }
      #define acosh acosh_
    )"_glsl},
    {"atanh", R"(
      vec4 atanh_(vec4 x) { return .5 * (log1p(x) - log1p(-x)); }
      #define atanh atanh_
    )"_glsl},
    {"erf", R"(
      // Chebyshev fits of erf(x) / x - 1 for x^2 in [0, 1], and of -log(1 - erf(x)) for x in [1, 4].
      vec4 erf(vec4 x) {
        vec4 z = x * x, t = min(abs(x), vec4(4));
        vec4 n = 1.28379166e-1 + z * (-3.76126267e-1 + z * (1.12835947e-1 + z * (-2.68542120e-2 +
            z * (5.18908742e-3 + z * (-8.01686429e-4 + z * 7.87587506e-5)))));
        vec4 f = -3.20138050e-4 + t * (1.13023343 + t * (6.31826052e-1 + t * (1.10080083e-1 +
            t * (-2.64211360e-2 + t * (4.75959629e-3 + t * (-5.96805626e-4 +
            t * (4.60580427e-5 - t * 1.63715141e-6)))))));
        return mix(mix(sign(x) * (1. - exp(-f)), x + x * n, lessThan(abs(x), vec4(1))), x, is_nan(x));
      }
    )"_glsl},
    {"cosh", R"(
      vec4 cosh_(vec4 x) {
        vec4 a = abs(x);
        return exp(a - .6931471806) + .5 * exp(-a);
      }
      #define cosh cosh_
    )"_glsl},
    {"sinh", R"(
      vec4 sinh_(vec4 x) {
        vec4 a = abs(x), u = expm1(a);
        return mix(sign(x) * mix(.5 * (u + u / (u + 1.)), exp(a - .6931471806), greaterThan(a, vec4(9))), x,
                   is_nan(x));
      }
      #define sinh sinh_
    )"_glsl},
};

}  // namespace tenure::gl
