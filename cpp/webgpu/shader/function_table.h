#pragma once

#include <string_view>

#include "webgpu/shader/wgsl.h"

namespace tenure::webgpu {

/// A WGSL function that sources can call. Functions of vectors are defined for one type, V, as WGSL has no
/// overloads.
struct WgslFunction {
  std::string_view name;
  std::string_view definition;
  /// The definition where V is vec4i; empty if it is the same, or if there is none.
  std::string_view for_int;
};

/// Lines for Dispatch::declare(): V, the vectors that functions compute with, and E, their elements.
constexpr std::string_view kFloatAliases = "alias V=vec4f;alias E=f32;";
constexpr std::string_view kIntAliases = "alias V=vec4i;alias E=i32;";

/// The functions of functions_for(). Each may call those above it. Names end with _ where WGSL has a function
/// of that name, and where expressions of lists/ops.def call one. WGSL lets compilers assume that there are
/// neither NaN nor infinities, so both are tested by their bits, and made from variables.
constexpr WgslFunction kFunctions[] = {
    {"flat_workgroup", "fn flat_workgroup(id: vec3u, n: vec3u) -> u32 { return id.x + id.y * n.x; }\n"_wgsl,
     ""},
    {"infinity_", R"(
      var<private> infinity_bits: u32 = 0x7f800000u;
      fn infinity_() -> f32 { return bitcast<f32>(infinity_bits); }
    )"_wgsl,
     ""},
    {"nan_", R"(
      var<private> nan_bits: u32 = 0x7fc00000u;
      fn nan_() -> vec4f { return vec4f(bitcast<f32>(nan_bits)); }
    )"_wgsl,
     ""},
    {"is_nan_", R"(
      fn is_nan_(x: V) -> vec4<bool> {
        return (bitcast<vec4u>(x) & vec4u(0x7fffffffu)) > vec4u(0x7f800000u);
      }
    )"_wgsl,
     "fn is_nan_(x: V) -> vec4<bool> { return vec4<bool>(false); }\n"_wgsl},
    {"is_infinite", R"(
      fn is_infinite(x: vec4f) -> vec4<bool> {
        return (bitcast<vec4u>(x) & vec4u(0x7fffffffu)) == vec4u(0x7f800000u);
      }
    )"_wgsl,
     ""},
    {"is_finite", R"(
      fn is_finite(x: vec4f) -> vec4<bool> {
        return (bitcast<vec4u>(x) & vec4u(0x7fffffffu)) < vec4u(0x7f800000u);
      }
    )"_wgsl,
     ""},
    {"is_lowest", "fn is_lowest(x: f32) -> bool { return bitcast<u32>(x) == 0xff800000u; }\n"_wgsl, ""},
    {"is_negative", R"(
      // Also true for -0.
      fn is_negative(x: vec4f) -> vec4<bool> { return bitcast<vec4i>(x) < vec4i(0); }
    )"_wgsl,
     ""},
    {"gt_", "fn gt_(a: V, b: V) -> vec4<bool> { return a > b; }\n"_wgsl, ""},
    {"ge_", "fn ge_(a: V, b: V) -> vec4<bool> { return a >= b; }\n"_wgsl, ""},
    {"lt_", "fn lt_(a: V, b: V) -> vec4<bool> { return a < b; }\n"_wgsl, ""},
    {"le_", "fn le_(a: V, b: V) -> vec4<bool> { return a <= b; }\n"_wgsl, ""},
    {"eq_", "fn eq_(a: V, b: V) -> vec4<bool> { return a == b; }\n"_wgsl, ""},
    // Not a != b, which is false for NaN.
    {"ne_", "fn ne_(a: V, b: V) -> vec4<bool> { return !(a == b); }\n"_wgsl, ""},
    {"select_", "fn select_(m: vec4<bool>, a: V, b: V) -> V { return select(b, a, m); }\n"_wgsl, ""},
    {"max_", R"(
      // Returns NaN if the first argument is NaN. GPUs return the other.
      fn max_(a: V, b: V) -> V { return select(select(a, b, a < b), a, is_nan_(a)); }
    )"_wgsl,
     "fn max_(a: V, b: V) -> V { return max(a, b); }\n"_wgsl},
    {"min_", "fn min_(a: V, b: V) -> V { return select(select(a, b, b < a), a, is_nan_(a)); }\n"_wgsl,
     "fn min_(a: V, b: V) -> V { return min(a, b); }\n"_wgsl},
    {"abs_", "fn abs_(x: V) -> V { return abs(x); }\n"_wgsl, ""},
    {"floor_", "fn floor_(x: V) -> V { return floor(x); }\n"_wgsl,
     "fn floor_(x: V) -> V { return x; }\n"_wgsl},
    {"ceil_", "fn ceil_(x: V) -> V { return ceil(x); }\n"_wgsl, "fn ceil_(x: V) -> V { return x; }\n"_wgsl},
    {"round_even_", "fn round_even_(x: V) -> V { return round(x); }\n"_wgsl,
     "fn round_even_(x: V) -> V { return x; }\n"_wgsl},
    {"sqrt_", "fn sqrt_(x: vec4f) -> vec4f { return select(sqrt(x), x, is_nan_(x)); }\n"_wgsl, ""},
    {"exp_", "fn exp_(x: vec4f) -> vec4f { return select(exp(x), x, is_nan_(x)); }\n"_wgsl, ""},
    {"sigmoid_", R"(
      fn sigmoid_(x: vec4f) -> vec4f {
        let e = exp_(-abs(x));
        return select(vec4f(1), e, x < vec4f(0)) / (1. + e);
      }
    )"_wgsl,
     ""},
    {"log_", R"(
      // Cephes logf.c. GPUs' own logarithms have an absolute error bound, which is useless near 1.
      fn log_(x: vec4f) -> vec4f {
        let b = bitcast<vec4i>(x);
        let k = (b - 0x3f3504f3) >> vec4u(23);
        let m = bitcast<vec4f>(b - (k << vec4u(23))) - 1.;
        let e = vec4f(k);
        let z = m * m;
        var y = 7.0376836292e-2 * m - 1.1514610310e-1;
        y = y * m + 1.1676998740e-1;
        y = y * m - 1.2420140846e-1;
        y = y * m + 1.4249322787e-1;
        y = y * m - 1.6668057665e-1;
        y = y * m + 2.0000714765e-1;
        y = y * m - 2.4999993993e-1;
        y = y * m + 3.3333331174e-1;
        y = y * m * z - e * 2.12194440e-4 - .5 * z;
        y = m + y + e * .693359375;
        y = select(y, vec4f(-infinity_()), x == vec4f(0));
        y = select(y, x, is_infinite(x));
        return select(y, nan_(), is_nan_(x) | (x < vec4f(0)));
      }
    )"_wgsl,
     ""},
    {"reduce_angle", R"(
      // Reduces a large x to n * pi/2 + r (Payne and Hanek 1983), returned as (n, r): the significand, shifted
      // left by up to 7 bits so that the exponent becomes a multiple of 8, times those bits of 2/pi whose
      // product with x is below 4, in units of 2^-30.
      const two_over_pi = array<u32, 19>(
          0xa2f9u, 0xa2f983u, 0xa2f9836eu, 0xf9836e4eu, 0x836e4e44u, 0x6e4e4415u, 0x4e441529u, 0x441529fcu,
          0x1529fc27u, 0x29fc2757u, 0xfc2757d1u, 0x2757d1f5u, 0x57d1f534u, 0xd1f534ddu, 0xf534ddc0u,
          0x34ddc0dbu, 0xddc0db62u, 0xc0db6295u, 0xdb629599u);
      fn reduce_angle(x: f32) -> vec2f {
        let bits = two_over_pi;
        let b = bitcast<i32>(abs(x));
        let k = clamp((b >> 26u) - 17, 0, 14);
        let m = u32(i32(bitcast<f32>(b - (k << 26u) + 0x7000000)));
        let low = bits[k + 4];
        let a = m >> 16u;
        let d = low >> 16u;
        let high = m * bits[k] + a * d + ((a * (low & 0xffffu)) >> 16u) + (((m & 0xffffu) * d) >> 16u);
        let q = (high + 0x20000000u) >> 30u;
        return sign(x) * vec2f(f32(q), f32(bitcast<i32>(high - (q << 30u))) * 1.4629180792671596e-9);
      }
    )"_wgsl,
     ""},
    {"waves", R"(
      // Sine and cosine of x - n * pi/2, and n as integers.
      struct Waves { s: vec4f, c: vec4f, n: vec4i }

      // Cephes sinf.c, pi/2 in three parts. NaN for x that is not finite.
      fn waves(x: vec4f) -> Waves {
        let a = abs(x);
        var n = round(x * .636619772);
        var r = x - n * 1.5703125 - n * 4.837512969970703e-4 - n * 7.549789948768648e-8;
        let far = a >= vec4f(8192);
        if (any(far)) {
          for (var k = 0; k < 4; k++) {
            if (far[k]) {
              let reduced = reduce_angle(x[k]);
              n[k] = reduced.x;
              r[k] = reduced.y;
            }
          }
        }
        r = select(nan_(), r, is_finite(x));
        let z = r * r;
        return Waves(
            r + r * z * (-1.6666654611e-1 + z * (8.3321608736e-3 - z * 1.9515295891e-4)),
            1. - .5 * z + z * z * (4.166664568298827e-2 +
                z * (-1.388731625493765e-3 + z * 2.443315711809948e-5)),
            vec4i(n));
      }
    )"_wgsl,
     ""},
    {"wave", R"(
      // The sine of x + shift * pi/2.
      fn wave(x: vec4f, shift: i32) -> vec4f {
        let w = waves(x);
        let n = w.n + shift;
        let s = select(w.s, w.c, (n & vec4i(1)) == vec4i(1));
        return select(s, -s, (n & vec4i(2)) == vec4i(2));
      }
    )"_wgsl,
     ""},
    {"sin_", "fn sin_(x: vec4f) -> vec4f { return wave(x, 0); }\n"_wgsl, ""},
    {"cos_", "fn cos_(x: vec4f) -> vec4f { return wave(x, 1); }\n"_wgsl, ""},
    {"tan_", R"(
      fn tan_(x: vec4f) -> vec4f {
        let w = waves(x);
        let odd = (w.n & vec4i(1)) == vec4i(1);
        return select(w.s, -w.c, odd) / select(w.c, w.s, odd);
      }
    )"_wgsl,
     ""},
    {"expm1_", R"(
      fn expm1_(x: vec4f) -> vec4f {
        let p = x * (1. + x * (.5 + x * (1. / 6. + x * (1. / 24. +
            x * (1. / 120. + x * (1. / 720. + x / 5040.))))));
        return select(exp_(x) - 1., p, abs(x) < vec4f(.5));
      }
    )"_wgsl,
     ""},
    {"log1p_", R"(
      // Power series of 2 atanh(x / (2 + x)), where rounding 1 + x would lose digits.
      fn log1p_(x: vec4f) -> vec4f {
        let s = x / (1. + .5 * x);
        let z = .25 * s * s;
        let p = s * (1. + z * (1. / 3. + z * (.2 + z * (1. / 7. + z / 9.))));
        return select(log_(1. + x), p, abs(x - .1) < vec4f(.4));
      }
    )"_wgsl,
     ""},
    {"tanh_", R"(
      fn tanh_(x: vec4f) -> vec4f {
        let z = x * x;
        let p = x * (1. + z * (-3.33332819422e-1 + z * (1.33314422036e-1 +
            z * (-5.37397155531e-2 + z * (2.06390887954e-2 - z * 5.70498872745e-3)))));
        let l = sign(x) * (1. - 2. / (exp_(abs(x) * 2.) + 1.));
        return select(select(l, p, abs(x) < vec4f(.625)), x, is_nan_(x));
      }
    )"_wgsl,
     ""},
    {"divide_", "fn divide_(x: V, y: V) -> V { return x / y; }\n"_wgsl, R"(
      // Rounds down; returns 0 if y is 0. Division of the smallest integer by -1 overflows.
      fn divide_(x: V, y: V) -> V {
        let d = select(y, V(1), (y == V(0)) | (y == V(-1)));
        let q = x / d;
        let floored = select(q, q - 1, (q * d != x) & ((x < V(0)) != (d < V(0))));
        return select(select(floored, -x, y == V(-1)), V(0), y == V(0));
      }
    )"_wgsl},
    {"floor_mod_", R"(
      // Long division, each step of which is exact; a rounded quotient would lose the remainder. It starts
      // with y's significand at x's exponent. A subnormal y has no normalized significand, and is doubled up
      // instead.
      fn floor_mod_(x: V, y: V) -> V {
        let a = abs(x);
        let b = abs(y);
        var r = a;
        let aligned = (bitcast<vec4i>(a) & vec4i(0x7f800000)) | (bitcast<vec4i>(b) & vec4i(0x7fffff));
        var t = select(b, bitcast<vec4f>(aligned), b >= vec4f(1.17549435e-38));
        let fits = is_finite(a) & (a >= b) & (b > vec4f(0)) & !is_nan_(b);
        for (var i = 0; i < 280; i++) {
          let more = fits & (t <= .5 * a);
          if (!any(more)) { break; }
          t = select(t, 2. * t, more);
        }
        for (var i = 0; i < 280; i++) {
          let more = fits & (t >= b);
          if (!any(more)) { break; }
          r = select(r, r - t, more & (r >= t));
          t *= .5;
        }
        r = select(nan_(), r, fits);
        r = select(r, -r, x < vec4f(0));
        r = select(r, x, a < b);
        r = select(r, r + y, (r != vec4f(0)) & ((r < vec4f(0)) != (y < vec4f(0))));
        return select(select(r, x, is_nan_(x)), y, is_nan_(y));
      }
    )"_wgsl,
     R"(
      fn floor_mod_(x: V, y: V) -> V { return select(x - divide_(x, y) * y, V(0), y == V(0)); }
    )"_wgsl},
    {"pow_", R"(
      // NaN if the exponent is NaN, and for 1 or -1 raised to an infinity, as in JavaScript.
      fn pow_(x: V, y: V) -> V {
        let m = abs(x);
        let f = floor(y);
        var p = pow(m, y);
        let whole = y == f;
        let zero = m == vec4f(0);
        let infinite = is_infinite(m);
        let is_exact = whole & (y > vec4f(0)) & (m == floor(m)) & (p < vec4f(8388608));
        p = select(p, round(p), is_exact);
        let limit = select(vec4f(0), vec4f(infinity_()), (m < vec4f(1)) == (y < vec4f(0)));
        p = select(p, limit, zero | infinite);
        p = select(p, select(limit, nan_(), m == vec4f(1)), is_infinite(y));
        let negative = is_negative(x);
        p = select(p, -p, negative & whole & (f != 2. * floor(.5 * f)));
        p = select(p, nan_(), negative & !whole & !zero & !infinite);
        p = select(select(p, x, is_nan_(x)), y, is_nan_(y));
        return select(p, vec4f(1), y == vec4f(0));
      }
    )"_wgsl,
     R"(
      fn pow1(base: i32, exponent: i32) -> i32 {
        var x = base;
        var y = exponent;
        if (y < 0) { return select(select(0, 1 - 2 * (y & 1), x == -1), 1, x == 1); }
        var p = 1;
        for (; y > 0; y >>= 1u) {
          if ((y & 1) == 1) { p *= x; }
          x *= x;
        }
        return p;
      }
      fn pow_(x: V, y: V) -> V {
        return V(pow1(x.x, y.x), pow1(x.y, y.y), pow1(x.z, y.z), pow1(x.w, y.w));
      }
    )"_wgsl},
    // Cephes (S. Moshier, netlib.org/cephes): asinf.c and atanf.c.
    {"asin_", R"(
      fn asin_(x: vec4f) -> vec4f {
        let a = abs(x);
        let far = a > vec4f(.5);
        let z = select(x * x, .5 - .5 * a, far);
        let s = select(a, sqrt(max(z, vec4f(0))), far);
        var p = s + s * z * (1.6666752422e-1 + z * (7.4953002686e-2 +
            z * (4.5470025998e-2 + z * (2.4181311049e-2 + z * 4.2163199048e-2))));
        p = select(p, 1.5707963268 - 2. * p, far);
        return select(sign(x) * p, nan_(), is_nan_(x) | (a > vec4f(1)));
      }
    )"_wgsl,
     ""},
    {"acos_", R"(
      fn acos_(x: vec4f) -> vec4f {
        let near = 2. * asin_(sqrt(max(.5 - .5 * x, vec4f(0))));
        return select(select(1.5707963268 - asin_(x), near, x > vec4f(.5)), nan_(),
                      is_nan_(x) | (abs(x) > vec4f(1)));
      }
    )"_wgsl,
     ""},
    {"atan_", R"(
      fn atan_(x: vec4f) -> vec4f {
        let a = abs(x);
        let far = a > vec4f(2.414213562);
        let mid = a > vec4f(.4142135624);
        let s = select(select(a, (a - 1.) / (a + 1.), mid), -1. / a, far);
        let z = s * s;
        var p = s + s * z * (-3.33329491539e-1 +
            z * (1.99777106478e-1 + z * (-1.38776856032e-1 + z * 8.05374449538e-2)));
        p += select(select(vec4f(0), vec4f(.7853981634), mid), vec4f(1.5707963268), far);
        return select(sign(x) * p, x, is_nan_(x));
      }
    )"_wgsl,
     ""},
    {"atan2_", R"(
      fn atan2_(y: vec4f, x: vec4f) -> vec4f {
        let a = abs(x);
        let b = abs(y);
        let low = select(a, b, b < a);
        let high = select(b, a, b < a);
        let q = select(low / high, vec4f(1), a == b);
        var r = atan_(select(q, vec4f(0), b == vec4f(0)));
        r = select(r, 1.5707963268 - r, b > a);
        r = select(r, 3.1415926536 - r, is_negative(x));
        r = select(r, -r, is_negative(y));
        return select(select(r, x, is_nan_(x)), y, is_nan_(y));
      }
    )"_wgsl,
     ""},
    {"asinh_", R"(
      fn asinh_(x: vec4f) -> vec4f {
        let a = abs(x);
        let s = log1p_(a + a * a / (1. + sqrt(a * a + 1.)));
        let r = sign(x) * select(s, log_(a) + .6931471806, a > vec4f(1e9));
        return select(r, x, !is_finite(x));
      }
    )"_wgsl,
     ""},
    {"acosh_", R"(
      fn acosh_(x: vec4f) -> vec4f {
        let t = max(x - 1., vec4f(0));
        let r = select(log1p_(t + sqrt(2. * t + t * t)), log_(x) + .6931471806, x > vec4f(1e9));
        return select(r, nan_(), is_nan_(x) | (x < vec4f(1)));
      }
    )"_wgsl,
     ""},
    {"atanh_", "fn atanh_(x: vec4f) -> vec4f { return .5 * (log1p_(x) - log1p_(-x)); }\n"_wgsl, ""},
    {"erf_", R"(
      // Chebyshev fits of erf(x) / x - 1 for x^2 in [0, 1], and of -log(1 - erf(x)) for x in [1, 4].
      fn erf_(x: vec4f) -> vec4f {
        let z = x * x;
        let t = min(abs(x), vec4f(4));
        let n = 1.28379166e-1 + z * (-3.76126267e-1 + z * (1.12835947e-1 + z * (-2.68542120e-2 +
            z * (5.18908742e-3 + z * (-8.01686429e-4 + z * 7.87587506e-5)))));
        let f = -3.20138050e-4 + t * (1.13023343 + t * (6.31826052e-1 + t * (1.10080083e-1 +
            t * (-2.64211360e-2 + t * (4.75959629e-3 + t * (-5.96805626e-4 +
            t * (4.60580427e-5 - t * 1.63715141e-6)))))));
        return select(select(sign(x) * (1. - exp_(-f)), x + x * n, abs(x) < vec4f(1)), x, is_nan_(x));
      }
    )"_wgsl,
     ""},
    {"cosh_", R"(
      fn cosh_(x: vec4f) -> vec4f {
        let a = abs(x);
        return exp_(a - .6931471806) + .5 * exp_(-a);
      }
    )"_wgsl,
     ""},
    {"sinh_", R"(
      fn sinh_(x: vec4f) -> vec4f {
        let a = abs(x);
        let u = expm1_(a);
        let r = sign(x) * select(.5 * (u + u / (u + 1.)), exp_(a - .6931471806), a > vec4f(9));
        return select(r, x, is_nan_(x));
      }
    )"_wgsl,
     ""},
};

}  // namespace tenure::webgpu
