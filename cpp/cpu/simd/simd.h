#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#if defined(__wasm_simd128__)
#include <wasm_simd128.h>
#elif defined(__FMA__)
#include <immintrin.h>
#elif defined(__SSE4_1__)
#include <smmintrin.h>
#endif

/// SIMD vectors of four float or int32 lanes, and the functions that the elementwise expressions of
/// lists/ops.def call. The shader prelude defines the same names in GLSL. Arithmetic uses the vector
/// extensions of GCC and Clang; intrinsics appear only where those cannot express the operation.
namespace tenure::simd {

typedef float RawF32 __attribute__((vector_size(16)));
typedef std::int32_t RawI32 __attribute__((vector_size(16)));

constexpr int kLanes = 4;
constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// Lane mask: all bits of a lane are set, or none.
struct Mask {
  RawI32 v;
  friend Mask operator&&(Mask a, Mask b) { return {a.v & b.v}; }
  friend Mask operator||(Mask a, Mask b) { return {a.v | b.v}; }
  friend Mask operator!=(Mask a, Mask b) { return {a.v ^ b.v}; }
};

struct F32 {
  using Element = float;
  RawF32 v;
  F32() = default;
  F32(RawF32 raw) : v(raw) {}
  F32(float x) : v(RawF32{x, x, x, x}) {}
  static F32 load(const float* p) {
    F32 x;
    std::memcpy(&x.v, p, sizeof x.v);
    return x;
  }
  /// Broadcasts *p to all lanes.
  static F32 load_splat(const float* p) {
#if defined(__wasm_simd128__)
    // The intrinsic folds a constant offset into the instruction's address; splatting a loaded float does
    // not.
    return (RawF32)wasm_v128_load32_splat(p);
#else
    return *p;
#endif
  }
  void store(float* p) const { std::memcpy(p, &v, sizeof v); }
  float operator[](int i) const { return v[i]; }

  friend F32 operator+(F32 a, F32 b) { return a.v + b.v; }
  friend F32 operator-(F32 a, F32 b) { return a.v - b.v; }
  friend F32 operator*(F32 a, F32 b) { return a.v * b.v; }
  friend F32 operator/(F32 a, F32 b) { return a.v / b.v; }
  friend F32 operator-(F32 a) { return -a.v; }
  friend Mask operator>(F32 a, F32 b) { return {a.v > b.v}; }
  friend Mask operator>=(F32 a, F32 b) { return {a.v >= b.v}; }
  friend Mask operator<(F32 a, F32 b) { return {a.v < b.v}; }
  friend Mask operator<=(F32 a, F32 b) { return {a.v <= b.v}; }
  friend Mask operator==(F32 a, F32 b) { return {a.v == b.v}; }
  friend Mask operator!=(F32 a, F32 b) { return {a.v != b.v}; }
};

struct I32 {
  using Element = std::int32_t;
  RawI32 v;
  I32() = default;
  I32(RawI32 raw) : v(raw) {}
  I32(std::int32_t x) : v(RawI32{x, x, x, x}) {}
  /// Truncates towards zero and saturates to the int32 range; NaN becomes 0.
  explicit I32(float x)
      : I32(x >= 2147483648.0F    ? std::numeric_limits<std::int32_t>::max()
            : x >= -2147483648.0F ? static_cast<std::int32_t>(x)
            : x < 0               ? std::numeric_limits<std::int32_t>::lowest()
                                  : 0) {}
  static I32 load(const std::int32_t* p) {
    I32 x;
    std::memcpy(&x.v, p, sizeof x.v);
    return x;
  }
  void store(std::int32_t* p) const { std::memcpy(p, &v, sizeof v); }
  std::int32_t operator[](int i) const { return v[i]; }

  // Computed unsigned: int32 tensors wrap around, as JavaScript's typed arrays do.
  friend I32 operator+(I32 a, I32 b) { return wrap(as_unsigned(a) + as_unsigned(b)); }
  friend I32 operator-(I32 a, I32 b) { return wrap(as_unsigned(a) - as_unsigned(b)); }
  friend I32 operator*(I32 a, I32 b) { return wrap(as_unsigned(a) * as_unsigned(b)); }
  friend I32 operator-(I32 a) { return I32(0) - a; }
  friend Mask operator>(I32 a, I32 b) { return {a.v > b.v}; }
  friend Mask operator>=(I32 a, I32 b) { return {a.v >= b.v}; }
  friend Mask operator<(I32 a, I32 b) { return {a.v < b.v}; }
  friend Mask operator<=(I32 a, I32 b) { return {a.v <= b.v}; }
  friend Mask operator==(I32 a, I32 b) { return {a.v == b.v}; }
  friend Mask operator!=(I32 a, I32 b) { return {a.v != b.v}; }

 private:
  typedef std::uint32_t RawU32 __attribute__((vector_size(16)));
  static RawU32 as_unsigned(I32 x) { return (RawU32)x.v; }
  static I32 wrap(RawU32 x) { return (RawI32)x; }
};

// Comparisons as functions: GLSL has no lane-wise comparison operators.
template <class V>
auto gt(const V& a, const V& b) {
  return a > b;
}
template <class V>
auto ge(const V& a, const V& b) {
  return a >= b;
}
template <class V>
auto lt(const V& a, const V& b) {
  return a < b;
}
template <class V>
auto le(const V& a, const V& b) {
  return a <= b;
}
template <class V>
auto eq(const V& a, const V& b) {
  return a == b;
}
template <class V>
auto ne(const V& a, const V& b) {
  return a != b;
}
template <class V>
auto is_nan(const V& x) {
  return x != x;
}

inline bool all(Mask m) {
#if defined(__wasm_simd128__)
  return wasm_i32x4_all_true((v128_t)m.v);
#elif defined(__SSE4_1__)
  return _mm_movemask_ps((__m128)m.v) == 15;
#else
  return (m.v[0] & m.v[1] & m.v[2] & m.v[3]) != 0;
#endif
}

inline RawI32 bits(F32 x) { return (RawI32)x.v; }
inline F32 from_bits(RawI32 x) { return (RawF32)x; }

inline I32 select(Mask m, I32 then, I32 otherwise) {
#if defined(__wasm_relaxed_simd__)
  // One instruction instead of three on x86; the result is the same for whole-lane masks.
  return (RawI32)wasm_i32x4_relaxed_laneselect((v128_t)then.v, (v128_t)otherwise.v, (v128_t)m.v);
#else
  return (m.v & then.v) | (~m.v & otherwise.v);
#endif
}
inline F32 select(Mask m, F32 then, F32 otherwise) {
  return from_bits(select(m, I32(bits(then)), I32(bits(otherwise))).v);
}

// Both are one instruction. If either argument is NaN the first one is returned: max(NaN, 0) is NaN, max(0,
// NaN) is 0.
inline F32 max(F32 a, F32 b) {
#if defined(__wasm_simd128__)
  return (RawF32)wasm_f32x4_pmax((v128_t)a.v, (v128_t)b.v);
#elif defined(__SSE4_1__)
  return (RawF32)_mm_max_ps((__m128)b.v, (__m128)a.v);
#else
  return select(a < b, b, a);
#endif
}
inline F32 min(F32 a, F32 b) {
#if defined(__wasm_simd128__)
  return (RawF32)wasm_f32x4_pmin((v128_t)a.v, (v128_t)b.v);
#elif defined(__SSE4_1__)
  return (RawF32)_mm_min_ps((__m128)b.v, (__m128)a.v);
#else
  return select(b < a, b, a);
#endif
}
inline I32 max(I32 a, I32 b) { return select(a > b, a, b); }
inline I32 min(I32 a, I32 b) { return select(a < b, a, b); }

inline F32 abs(F32 x) {
#if defined(__wasm_simd128__)
  // V8 builds the intrinsic's mask in two instructions, and a constant mask in four.
  return (RawF32)wasm_f32x4_abs((v128_t)x.v);
#else
  return from_bits(bits(x) & RawI32{0x7fffffff, 0x7fffffff, 0x7fffffff, 0x7fffffff});
#endif
}
inline I32 abs(I32 x) { return max(x, -x); }

/// True if loops are laid out for fused multiply-add: in WebAssembly only with relaxed SIMD, natively always,
/// so that native tests take the same code paths.
#if defined(__wasm_simd128__) && !defined(__wasm_relaxed_simd__)
constexpr bool kAssumeFma = false;
#else
constexpr bool kAssumeFma = true;
#endif

// Relaxed SIMD fuses multiply and add where the machine can. Its relaxed min and max are no faster than pmin
// and pmax, and do not specify NaN.
/// Returns a * b + c, rounded once (fused) or twice.
inline F32 madd(F32 a, F32 b, F32 c) {
#if defined(__wasm_relaxed_simd__)
  return (RawF32)wasm_f32x4_relaxed_madd((v128_t)a.v, (v128_t)b.v, (v128_t)c.v);
#elif defined(__FMA__)
  return (RawF32)_mm_fmadd_ps((__m128)a.v, (__m128)b.v, (__m128)c.v);
#else
  return a * b + c;
#endif
}
/// Returns c - a * b, rounded once (fused) or twice.
inline F32 nmadd(F32 a, F32 b, F32 c) {
#if defined(__wasm_relaxed_simd__)
  return (RawF32)wasm_f32x4_relaxed_nmadd((v128_t)a.v, (v128_t)b.v, (v128_t)c.v);
#elif defined(__FMA__)
  return (RawF32)_mm_fnmadd_ps((__m128)a.v, (__m128)b.v, (__m128)c.v);
#else
  return c - a * b;
#endif
}

// Apply f lane by lane. They loop through memory: four inlined copies of f would be most of its op's code.
template <class F>
F32 map_lanes(F32 x, F f) {
  float lanes[kLanes];
  x.store(lanes);
#pragma GCC unroll 1
  for (float& lane : lanes) lane = f(lane);
  return F32::load(lanes);
}
template <class V, class F>
V map_lanes(V x, V y, F f) {
  typename V::Element a[kLanes];
  typename V::Element b[kLanes];
  x.store(a);
  y.store(b);
#pragma GCC unroll 1
  for (std::size_t i = 0; i < kLanes; ++i) a[i] = f(a[i], b[i]);
  return V::load(a);
}

inline F32 sqrt(F32 x) {
#if defined(__wasm_simd128__)
  return (RawF32)wasm_f32x4_sqrt((v128_t)x.v);
#elif defined(__SSE4_1__)
  return (RawF32)_mm_sqrt_ps((__m128)x.v);
#else
  return map_lanes(x, [](float a) { return std::sqrt(a); });
#endif
}
inline F32 floor(F32 x) {
#if defined(__wasm_simd128__)
  return (RawF32)wasm_f32x4_floor((v128_t)x.v);
#elif defined(__SSE4_1__)
  return (RawF32)_mm_floor_ps((__m128)x.v);
#else
  return map_lanes(x, [](float a) { return std::floor(a); });
#endif
}
inline F32 ceil(F32 x) {
#if defined(__wasm_simd128__)
  return (RawF32)wasm_f32x4_ceil((v128_t)x.v);
#elif defined(__SSE4_1__)
  return (RawF32)_mm_ceil_ps((__m128)x.v);
#else
  return map_lanes(x, [](float a) { return std::ceil(a); });
#endif
}
/// Rounds to the nearest integer, halves to even, as TensorFlow does.
inline F32 round_even(F32 x) {
#if defined(__wasm_simd128__)
  return (RawF32)wasm_f32x4_nearest((v128_t)x.v);
#elif defined(__SSE4_1__)
  return (RawF32)_mm_round_ps((__m128)x.v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
#else
  return map_lanes(x, [](float a) { return std::nearbyint(a); });
#endif
}
inline I32 floor(I32 x) { return x; }
inline I32 ceil(I32 x) { return x; }
inline I32 round_even(I32 x) { return x; }

inline I32 to_int(F32 x) {
#if defined(__wasm_simd128__)
  return (RawI32)wasm_i32x4_trunc_sat_f32x4((v128_t)x.v);
#else
  return __builtin_convertvector(x.v, RawI32);
#endif
}
inline F32 to_float(I32 x) { return __builtin_convertvector(x.v, RawF32); }

}  // namespace tenure::simd
