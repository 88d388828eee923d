#pragma once

#include <limits>
#include <type_traits>

#include "cpu/elementwise/elementwise.h"

/// Reduction operators on four lanes: the type they accumulate in (Sum), and how values are read and
/// combined.
namespace tenure::cpu {

using simd::F32;
using simd::F64;
using simd::I32;

// Adds groups of rows in float, and the groups' sums in double: as fast as memory, and accurate to about 1e-7
// for any number of rows.
struct AddF32 {
  using Sum = F64;
  static constexpr double kIdentity = 0;
  template <class T>
  static F32 read(const T* p) {
    if constexpr (std::is_same_v<T, float>) {
      return load(p);
    } else {
      return to_float(load(p));
    }
  }
  static F32 combine(F32 a, F32 b) { return a + b; }
  static F64 combine(F64 a, F64 b) { return a + b; }
  static F64 widen(F32 x) { return to_double(x); }
};

// In double throughout, because intermediate products may leave float's range and come back.
struct MulF32 {
  using Sum = F64;
  static constexpr double kIdentity = 1;
  static F64 read(const float* p) { return to_double(load(p)); }
  static F64 combine(F64 a, F64 b) { return a * b; }
  static F64 widen(F64 x) { return x; }
};

template <class V>
struct Same {
  using Sum = V;
  template <class T>
  static V read(const T* p) {
    return load(p);
  }
  static V widen(V x) { return x; }
};

struct AddI32 : Same<I32> {
  static constexpr std::int32_t kIdentity = 0;
  static I32 combine(I32 a, I32 b) { return a + b; }
};
struct MulI32 : Same<I32> {
  static constexpr std::int32_t kIdentity = 1;
  static I32 combine(I32 a, I32 b) { return a * b; }
};
// The select propagates a NaN from either side.
struct MaxF32 : Same<F32> {
  static constexpr float kIdentity = -simd::kInfinity;
  static F32 combine(F32 a, F32 b) { return select(b == b, max(a, b), b); }
};
struct MinF32 : Same<F32> {
  static constexpr float kIdentity = simd::kInfinity;
  static F32 combine(F32 a, F32 b) { return select(b == b, min(a, b), b); }
};
template <class T>
struct MaxI32 : Same<I32> {
  static constexpr std::int32_t kIdentity = std::numeric_limits<T>::lowest();
  static I32 combine(I32 a, I32 b) { return max(a, b); }
};
template <class T>
struct MinI32 : Same<I32> {
  static constexpr std::int32_t kIdentity = std::numeric_limits<T>::max();
  static I32 combine(I32 a, I32 b) { return min(a, b); }
};

}  // namespace tenure::cpu
