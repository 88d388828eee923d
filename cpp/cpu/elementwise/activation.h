#pragma once

#include <cstddef>

#include "core/attrs.h"
#include "cpu/simd/simd_math.h"

/// The activations that ops apply to their result before it is stored.
namespace tenure::cpu {

/// The bounds that a result is kept between as it is stored.
struct Clamp {
  float low = -simd::kInfinity;
  float high = simd::kInfinity;

  /// Whether it changes nothing.
  bool is_open() const { return low == -simd::kInfinity && high == simd::kInfinity; }
  simd::F32 operator()(simd::F32 x) const { return min(max(x, simd::F32(low)), simd::F32(high)); }
};

constexpr Clamp clamp_of(Activation activation) {
  switch (activation) {
    case Activation::kRelu: return {0.0F, simd::kInfinity};
    case Activation::kRelu6: return {0.0F, 6.0F};
    default: return {};
  }
}

/// Whether clamp_of() is all there is to it.
constexpr bool is_clamp(Activation activation) {
  return activation == Activation::kLinear || activation == Activation::kRelu ||
         activation == Activation::kRelu6;
}

/// An activation that is an op, for `count` values in place.
void apply_activation(float* values, std::size_t count, Activation activation, float alpha);

/// What clamp_of() leaves to be done, for `count` values in place.
inline void activate(float* values, std::size_t count, Activation activation, float alpha) {
  if (!is_clamp(activation)) apply_activation(values, count, activation, alpha);
}

}  // namespace tenure::cpu
