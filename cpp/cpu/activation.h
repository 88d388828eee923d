#pragma once

#include <cstddef>

#include "core/attrs.h"
#include "cpu/simd_math.h"

/// The activations that ops apply to their result before it is stored.
namespace tenure::cpu {

/// The bounds that a result is kept between as it is stored: all there is to kLinear, kRelu and kRelu6.
struct Clamp {
  float low = -simd::kInfinity;
  float high = simd::kInfinity;

  simd::F32 operator()(simd::F32 x) const { return min(max(x, simd::F32(low)), simd::F32(high)); }
};

constexpr Clamp clamp_of(Activation activation) {
  switch (activation) {
    case Activation::kRelu: return {0.0F, simd::kInfinity};
    case Activation::kRelu6: return {0.0F, 6.0F};
    default: return {};
  }
}

/// What clamp_of() leaves to be done, for `count` values in place. An elu's alpha of 0 means 1, its usual
/// value.
void activate(float* values, std::size_t count, Activation activation, float alpha);

}  // namespace tenure::cpu
