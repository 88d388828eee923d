#pragma once

#include "cpu/quant/prepare.h"
#include "cpu/simd/simd_integer.h"
#include "cpu/simd/simd_wide.h"

// In WebAssembly only relaxed SIMD has the instruction for products of bytes. Natively its result is computed
// by others, so that tests take the same code paths.
#if !defined(__wasm_simd128__) || defined(__wasm_relaxed_simd__)
#define TENURE_HAS_BYTE_DOTS 1

/// Sums of products of bytes, and their epilogue.
namespace tenure::cpu {

/// Bytes in a vector.
constexpr int kVectorBytes = 16;

/// Adds to each lane the products of four int8 and four bytes from 0 to 255.
inline simd::I32 add_dots(simd::RawI32 weights, simd::RawI32 bytes, simd::I32 sums) {
#if defined(__wasm_relaxed_simd__)
  return (simd::RawI32)wasm_i32x4_relaxed_dot_i8x16_i7x16_add((v128_t)weights, (v128_t)bytes, (v128_t)sums.v);
#else
  std::int8_t a[kVectorBytes];
  std::uint8_t b[kVectorBytes];
  std::memcpy(a, &weights, sizeof a);
  std::memcpy(b, &bytes, sizeof b);
  std::int32_t dots[simd::kLanes] = {};
  for (int i = 0; i < kVectorBytes; ++i) dots[i / simd::kLanes] += a[i] * b[i];
  return sums + simd::I32::load(dots);
#endif
}

/// Loads 16 bytes.
inline simd::RawI32 load_bytes(const void* from) {
  simd::RawI32 bytes;
  std::memcpy(&bytes, from, sizeof bytes);
  return bytes;
}

/// The operations of a ByteEpilogue on vectors of eight columns.
class ByteVectorEpilogue {
 public:
  explicit ByteVectorEpilogue(const ByteEpilogue& epilogue)
      : low_(epilogue.low),
        high_(epilogue.high),
        base_(simd::bits(simd::F32(simd::kIntegerBits + epilogue.low))),
        highest_(static_cast<std::uint8_t>(epilogue.stores_bytes ? epilogue.high - epilogue.low : 0)),
        stores_bytes_(epilogue.stores_bytes),
        scales_sums_(epilogue.scales != nullptr) {
    if (!scales_sums_) return;
    scales_[0] = simd::F32::load(epilogue.scales);
    scales_[1] = simd::F32::load(epilogue.scales + simd::kLanes);
  }

  /// Stores the results for the sums of kRows rows, `stride` bytes apart.
  template <int kRows>
  TENURE_INLINE void store(const simd::I32 (&sums)[kRows][2], std::byte* to, std::size_t stride) const {
    if (stores_bytes_) {
#pragma GCC unroll 3
      for (int r = 0; r < kRows; r += 2) {
        const simd::I16 first = to_distances(sums[r]);
        const simd::I16 second = r + 1 < kRows ? to_distances(sums[r + 1]) : first;
        const simd::RawU8 bytes = simd::min(simd::narrow_to_bytes(first, second), simd::splat_byte(highest_));
        simd::store_half<0>(to + static_cast<std::size_t>(r) * stride, bytes);
        if (r + 1 < kRows) simd::store_half<1>(to + static_cast<std::size_t>(r + 1) * stride, bytes);
      }
      return;
    }
#pragma GCC unroll 6
    for (int r = 0; r < kRows; ++r, to += stride) {
      for (int v = 0; v < 2; ++v) {
        const simd::I32 result = scales_sums_ ? requantize(sums[r][v], scales_[v]) : sums[r][v];
        std::memcpy(to + v * kVectorBytes, &result.v, kVectorBytes);
      }
    }
  }

 private:
  simd::I32 requantize(simd::I32 sums, simd::F32 scales) const {
    const simd::F32 rounded = simd::round_even(simd::to_float(sums) * scales);
    return simd::I32(simd::bits(simd::min(simd::max(rounded, low_), high_)));
  }
  /// Returns the distances of the results from `low`. The addition rounds to even. Results far above `high`
  /// stay larger than int16.
  simd::I32 to_distance(simd::I32 sums, simd::F32 scales) const {
    const simd::F32 scaled = simd::max(simd::to_float(sums) * scales, low_);
    return simd::I32(simd::bits(scaled + simd::F32(simd::kIntegerBits))) - base_;
  }
  simd::I16 to_distances(const simd::I32 (&sums)[2]) const {
    return simd::narrow(to_distance(sums[0], scales_[0]), to_distance(sums[1], scales_[1]));
  }

  simd::F32 scales_[2] = {0.0F, 0.0F};
  simd::F32 low_;
  simd::F32 high_;
  simd::I32 base_;
  std::uint8_t highest_;
  bool stores_bytes_;
  bool scales_sums_;
};

}  // namespace tenure::cpu
#endif
