#pragma once

#include <cstddef>

#include "core/attrs.h"
#include "cpu/simd/simd_math.h"

/// Activations that ops apply to their result before it is stored.
namespace tenure::cpu {

/// Bounds that a result is clamped to as it is stored.
struct Clamp {
  float low = -simd::kInfinity;
  float high = simd::kInfinity;

  /// True if clamping has no effect.
  bool is_open() const { return low == -simd::kInfinity && high == simd::kInfinity; }
  simd::F32 operator()(simd::F32 x) const { return min(max(x, simd::F32(low)), simd::F32(high)); }
};

/// Returns the clamp of an activation that is one; an open clamp for all others.
constexpr Clamp get_clamp(Activation activation) {
  switch (activation) {
    case Activation::kRelu: return {0.0F, simd::kInfinity};
    case Activation::kRelu6: return {0.0F, 6.0F};
    default: return {};
  }
}

/// True if the activation is only a clamp, the one that get_clamp() returns.
constexpr bool is_clamp(Activation activation) {
  return activation == Activation::kLinear || activation == Activation::kRelu ||
         activation == Activation::kRelu6;
}

/// Applies an activation that has an elementwise op to `count` values in place.
void apply_activation(float* values, std::size_t count, Activation activation, float alpha);

/// Applies an activation to `count` values in place, unless it is a clamp, which is applied as values are
/// stored.
inline void activate(float* values, std::size_t count, Activation activation, float alpha) {
  if (!is_clamp(activation)) apply_activation(values, count, activation, alpha);
}

}  // namespace tenure::cpu
