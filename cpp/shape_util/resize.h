#pragma once

#include <array>
#include <cstdint>
#include <limits>

#include "core/attrs.h"
#include "core/shape.h"

namespace tenure {

/// One axis of a resized image, for GPU kernels: {scale, shift, divisor, extent}. Output o is at
/// (o * scale + shift) / divisor in the input, which has `extent` elements. In integers, since the neighbours
/// depend on how a quotient is rounded.
using ResizeAxis = std::array<int, 4>;

/// True if every position of images [N,H,W,C] resized from `in` to `out` fits an int32; all are below
/// 2 * (in + 1) * out.
inline bool resize_positions_fit(const Shape& in, const Shape& out) {
  const auto fits = [&](int i) {
    return std::int64_t{2} * (in[i] + 1) * out[i] <= std::numeric_limits<std::int32_t>::max();
  };
  return fits(1) && fits(2);
}

/// Returns the axis of bilinear interpolation.
inline ResizeAxis bilinear_axis(std::int32_t in, std::int32_t out, const ResizeAttrs& attrs) {
  if (attrs.align_corners && out > 1) return {in - 1, 0, out - 1, in};
  if (attrs.half_pixel_centers) return {2 * in, in - out, 2 * out, in};
  return {in, 0, out, in};
}

/// Returns an axis whose integer part is the nearest index: rounded with align_corners, else that of the
/// cell.
inline ResizeAxis nearest_axis(std::int32_t in, std::int32_t out, const ResizeAttrs& attrs) {
  const auto [scale, shift, divisor, extent] = bilinear_axis(in, out, attrs);
  if (attrs.align_corners) return {2 * scale, divisor, 2 * divisor, extent};
  return {scale, shift + (attrs.half_pixel_centers ? divisor / 2 : 0), divisor, extent};
}

}  // namespace tenure
