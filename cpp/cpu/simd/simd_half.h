#pragma once

#include "cpu/simd/simd.h"

/// Conversion of half precision to float32 in registers, for weights that are stored in it.
namespace tenure::simd {

/// Constants of the conversions, extern so that V8 loads them once: it builds a constant vector wherever it
/// is used.
struct HalfConstants {
  /// Sign, exponent and fraction of a half whose sign was extended and whose bits were shifted to those of a
  /// float.
  I32 all = static_cast<std::int32_t>(0x8fffe000);
  I32 magnitude = 0x0fffe000;
  I32 sign = INT32_MIN;
  /// Difference of the exponents' biases.
  I32 bias = 112 << 23;
  F32 min_normal = 0x1p-14F;
  F32 zero = 0.0F;
};
extern const HalfConstants kHalf;

/// Loads four halves and extends their signs.
[[gnu::always_inline]] inline RawI32 load_half_bits(const std::uint16_t* p) {
#if defined(__wasm_simd128__)
  return (RawI32)wasm_i32x4_load16x4(p);
#else
  typedef std::int16_t Halves __attribute__((vector_size(8)));
  Halves halves;
  std::memcpy(&halves, p, sizeof halves);
  return __builtin_convertvector(halves, RawI32);
#endif
}

/// Loads finite halves as float32 times 2^-112, whose exponent has the bits of the half's. Exact, but some
/// processors are slow to multiply the subnormals that subnormal halves become.
class ScaledHalves {
 public:
  static constexpr float kUnscale = 0x1p112F;
  [[gnu::always_inline]] F32 load(const std::uint16_t* p) const {
    return from_bits(load_half_bits(p) << 13 & all_.v);
  }

 private:
  I32 all_ = kHalf.all;
};

/// Loads finite halves as float32, exactly, without a subnormal float in between. Takes two and a half times
/// as long as ScaledHalves.
class ExactHalves {
 public:
  static constexpr float kUnscale = 1;
  [[gnu::always_inline]] F32 load(const std::uint16_t* p) const {
    const RawI32 half = load_half_bits(p);
    // 2^-15 + x / 2 for a subnormal x or 0, which the addition corrects.
    const F32 biased = from_bits((half << 13 & magnitude_.v) + bias_.v);
    const F32 value = biased + min(biased - min_normal_, zero_);
    return from_bits(bits(value) | (half & sign_.v));
  }

 private:
  I32 magnitude_ = kHalf.magnitude;
  I32 bias_ = kHalf.bias;
  I32 sign_ = kHalf.sign;
  F32 min_normal_ = kHalf.min_normal;
  F32 zero_ = kHalf.zero;
};

}  // namespace tenure::simd
