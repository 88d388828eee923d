#pragma once

#include <bit>
#include <cmath>

#include "core/memory/half_floats.h"
#include "model/models.h"

/// Tensors of half precision.
namespace tenure::test {

/// Returns the bits of the half nearest to a value whose magnitude is below 65504.
inline std::uint16_t to_half(float value) {
  const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  // The unit of the last place; of subnormals it is that of the smallest normal numbers.
  const int exponent = std::max(value == 0 ? -14 : std::ilogb(value), -14);
  const auto steps = static_cast<std::uint32_t>(std::nearbyint(std::ldexp(std::abs(value), 10 - exponent)));
  // A carry of the fraction raises the exponent.
  return static_cast<std::uint16_t>(sign | ((static_cast<std::uint32_t>(exponent + 14) << 10) + steps));
}

/// Returns the value of a half.
inline float from_half(std::uint16_t half) {
  const int exponent = half >> 10 & 31;
  const int fraction = half & 1023;
  const float sign = (half & 0x8000) != 0 ? -1.0F : 1.0F;
  if (exponent == 31) return fraction != 0 ? NAN : sign * INFINITY;
  return sign * (exponent == 0 ? std::ldexp(static_cast<float>(fraction), -24)
                               : std::ldexp(static_cast<float>(1024 + fraction), exponent - 25));
}

/// Returns the bits of the halves nearest to the elements of `x`.
inline std::vector<std::uint16_t> to_halves(const Tensor& x) {
  std::vector<std::uint16_t> halves;
  for (const float value : x.values<float>()) halves.push_back(to_half(value));
  return halves;
}
inline Tensor make_halves(const std::vector<std::uint16_t>& halves, const Shape& shape) {
  return HalfFloats::make(std::as_bytes(std::span(halves)), shape);
}
/// Returns a float32 tensor with the values of halves.
inline Tensor widen(const std::vector<std::uint16_t>& halves, const Shape& shape) {
  Tensor tensor({shape, DType::kFloat32});
  for (std::size_t i = 0; i < halves.size(); ++i) tensor.mutable_data<float>()[i] = from_half(halves[i]);
  return tensor;
}

}  // namespace tenure::test
