#pragma once

#include "cpu/simd/simd.h"

/// Vectors of eight int16 lanes, for products of quantized values.
namespace tenure::simd {

/// 1.5 * 2^23: a float of this size has the integer that was added to it in its lowest bits.
constexpr float kIntegerBits = 12582912;

typedef std::int16_t RawI16 __attribute__((vector_size(16)));
typedef std::uint16_t RawU16 __attribute__((vector_size(16)));

struct I16 {
  RawI16 v;
  I16() = default;
  I16(RawI16 raw) : v(raw) {}
  I16(std::int16_t x) : v(RawI16{x, x, x, x, x, x, x, x}) {}
  static I16 load(const std::int16_t* p) {
    I16 x;
    std::memcpy(&x.v, p, sizeof x.v);
    return x;
  }
  /// Loads eight bytes and extends their signs.
  static I16 load(const std::int8_t* p) {
#if defined(__wasm_simd128__)
    return (RawI16)wasm_i16x8_load8x8(p);
#else
    typedef std::int8_t Bytes __attribute__((vector_size(8)));
    Bytes bytes;
    std::memcpy(&bytes, p, sizeof bytes);
    return __builtin_convertvector(bytes, RawI16);
#endif
  }
  /// Loads eight bytes from 0 to 255.
  static I16 load(const std::uint8_t* p) {
#if defined(__wasm_simd128__)
    return (RawI16)wasm_u16x8_load8x8(p);
#else
    typedef std::uint8_t Bytes __attribute__((vector_size(8)));
    Bytes bytes;
    std::memcpy(&bytes, p, sizeof bytes);
    return __builtin_convertvector(bytes, RawI16);
#endif
  }
  /// Broadcasts the two numbers at `p` to all pairs of lanes.
  static I16 load_pair(const std::int16_t* p) {
#if defined(__wasm_simd128__)
    return (RawI16)wasm_v128_load32_splat(p);
#else
    std::int32_t pair;
    std::memcpy(&pair, p, sizeof pair);
    return (RawI16)I32(pair).v;
#endif
  }
  void store(std::int16_t* p) const { std::memcpy(p, &v, sizeof v); }

  friend I16 operator-(I16 a, I16 b) { return (RawI16)((RawU16)a.v - (RawU16)b.v); }
  friend I16 operator&(I16 a, I16 b) { return a.v & b.v; }
  /// Shifts right, filling with zeros.
  friend I16 operator>>(I16 a, int bits) { return (RawI16)((RawU16)a.v >> static_cast<std::uint16_t>(bits)); }
};

/// Returns the sums of the products of adjacent lanes: a[0] * b[0] + a[1] * b[1] in the first lane.
inline I32 dot_pairs(I16 a, I16 b) {
#if defined(__wasm_simd128__)
  return (RawI32)wasm_i32x4_dot_i16x8((v128_t)a.v, (v128_t)b.v);
#elif defined(__SSE4_1__)
  return (RawI32)_mm_madd_epi16((__m128i)a.v, (__m128i)b.v);
#else
  I32 sum;
  for (int i = 0; i < kLanes; ++i) sum.v[i] = a.v[2 * i] * b.v[2 * i] + a.v[2 * i + 1] * b.v[2 * i + 1];
  return sum;
#endif
}

/// Converts to int16 and saturates: the lanes of `low`, then those of `high`.
inline I16 narrow(I32 low, I32 high) {
#if defined(__wasm_simd128__)
  return (RawI16)wasm_i16x8_narrow_i32x4((v128_t)low.v, (v128_t)high.v);
#elif defined(__SSE4_1__)
  return (RawI16)_mm_packs_epi32((__m128i)low.v, (__m128i)high.v);
#else
  const I32 lowest(std::numeric_limits<std::int16_t>::lowest());
  const I32 highest(std::numeric_limits<std::int16_t>::max());
  low = max(min(low, highest), lowest);
  high = max(min(high, highest), lowest);
  I16 x;
  for (int i = 0; i < kLanes; ++i) {
    x.v[i] = static_cast<std::int16_t>(low.v[i]);
    x.v[i + kLanes] = static_cast<std::int16_t>(high.v[i]);
  }
  return x;
#endif
}

/// 16 bytes from 0 to 255.
typedef std::uint8_t RawU8 __attribute__((vector_size(16)));

/// Returns the lanes of `low`, then those of `high`, as bytes from 0 to 255. Saturates.
inline RawU8 narrow_to_bytes(I16 low, I16 high) {
#if defined(__wasm_simd128__)
  return (RawU8)wasm_u8x16_narrow_i16x8((v128_t)low.v, (v128_t)high.v);
#elif defined(__SSE4_1__)
  return (RawU8)_mm_packus_epi16((__m128i)low.v, (__m128i)high.v);
#else
  constexpr int kMax = std::numeric_limits<std::uint8_t>::max();
  constexpr int kWidth = 2 * kLanes;
  RawU8 bytes;
  for (int i = 0; i < 2 * kWidth; ++i) {
    const int lane = i < kWidth ? low.v[i] : high.v[i - kWidth];
    bytes[i] = static_cast<std::uint8_t>(lane < 0 ? 0 : lane > kMax ? kMax : lane);
  }
  return bytes;
#endif
}
inline void store_bytes(std::uint8_t* to, I16 low, I16 high) {
  const RawU8 bytes = narrow_to_bytes(low, high);
  std::memcpy(to, &bytes, sizeof bytes);
}
inline RawU8 min(RawU8 a, RawU8 b) { return __builtin_elementwise_min(a, b); }
inline RawU8 splat_byte(std::uint8_t x) { return RawU8{x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x}; }

/// Loads eight bytes, and zeros behind them.
inline RawU8 load_half(const std::uint8_t* from) {
#if defined(__wasm_simd128__)
  return (RawU8)wasm_v128_load64_zero(from);
#else
  RawU8 bytes = {};
  std::memcpy(&bytes, from, sizeof bytes / 2);
  return bytes;
#endif
}
/// Stores the first or the second eight bytes.
template <int kHalf>
void store_half(void* to, RawU8 bytes) {
#if defined(__wasm_simd128__)
  wasm_v128_store64_lane(to, (v128_t)bytes, kHalf);
#else
  std::memcpy(to, reinterpret_cast<const std::uint8_t*>(&bytes) + kHalf * sizeof bytes / 2, sizeof bytes / 2);
#endif
}
/// Returns the first eight bytes of `a` and `b` alternately.
inline I16 interleave_bytes(RawU8 a, RawU8 b) {
  return (RawI16)__builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}

/// Returns the first four lanes as int32.
inline I32 widen_low(I16 x) {
  return __builtin_convertvector(__builtin_shufflevector(x.v, x.v, 0, 1, 2, 3), RawI32);
}
/// Returns the last four lanes as int32.
inline I32 widen_high(I16 x) {
  return __builtin_convertvector(__builtin_shufflevector(x.v, x.v, 4, 5, 6, 7), RawI32);
}
/// Returns the first four lanes of `a` and `b` alternately.
inline I16 interleave_low(I16 a, I16 b) {
  return __builtin_shufflevector(a.v, b.v, 0, 8, 1, 9, 2, 10, 3, 11);
}
/// Returns the last four lanes of `a` and `b` alternately.
inline I16 interleave_high(I16 a, I16 b) {
  return __builtin_shufflevector(a.v, b.v, 4, 12, 5, 13, 6, 14, 7, 15);
}

/// Returns the sum of the lanes.
inline std::int32_t sum_lanes(I32 x) {
  const I32 pairs = x + I32(__builtin_shufflevector(x.v, x.v, 2, 3, 0, 1));
  return (pairs + I32(__builtin_shufflevector(pairs.v, pairs.v, 1, 0, 3, 2)))[0];
}

}  // namespace tenure::simd
