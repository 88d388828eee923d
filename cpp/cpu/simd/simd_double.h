#pragma once

#include "cpu/simd/simd.h"

/// Vectors of four double lanes, for the few computations that need more than float's precision: sums,
/// products and the range reduction of large angles.
namespace tenure::simd {

typedef double RawF64 __attribute__((vector_size(32)));

struct F64 {
  using Element = double;
  RawF64 v;
  F64() = default;
  F64(const RawF64& raw) : v(raw) {}  // Passing by value would need AVX's calling convention.
  F64(double x) : v(RawF64{x, x, x, x}) {}
  static F64 load(const double* p) {
    F64 x;
    std::memcpy(&x.v, p, sizeof x.v);
    return x;
  }
  void store(double* p) const { std::memcpy(p, &v, sizeof v); }

  friend F64 operator+(F64 a, F64 b) { return a.v + b.v; }
  friend F64 operator-(F64 a, F64 b) { return a.v - b.v; }
  friend F64 operator*(F64 a, F64 b) { return a.v * b.v; }
  friend F64 operator/(F64 a, F64 b) { return a.v / b.v; }
};

inline F64 floor(F64 x) {
#if defined(__wasm_simd128__)
  const v128_t low = wasm_f64x2_floor(wasm_f64x2_make(x.v[0], x.v[1]));
  const v128_t high = wasm_f64x2_floor(wasm_f64x2_make(x.v[2], x.v[3]));
  return RawF64{wasm_f64x2_extract_lane(low, 0), wasm_f64x2_extract_lane(low, 1),
                wasm_f64x2_extract_lane(high, 0), wasm_f64x2_extract_lane(high, 1)};
#else
  return RawF64{std::floor(x.v[0]), std::floor(x.v[1]), std::floor(x.v[2]), std::floor(x.v[3])};
#endif
}

inline F64 to_double(F32 x) { return __builtin_convertvector(x.v, RawF64); }
inline F32 to_float(F64 x) {
#if defined(__wasm_simd128__)
  // The generic conversion is compiled lane by lane.
  const v128_t low = wasm_f32x4_demote_f64x2_zero(wasm_f64x2_make(x.v[0], x.v[1]));
  const v128_t high = wasm_f32x4_demote_f64x2_zero(wasm_f64x2_make(x.v[2], x.v[3]));
  return (RawF32)wasm_i32x4_shuffle(low, high, 0, 1, 4, 5);
#else
  return __builtin_convertvector(x.v, RawF32);
#endif
}

}  // namespace tenure::simd
