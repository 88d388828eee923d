#pragma once

#include <cstdint>

#include "core/attrs.h"

namespace tenure {

/// One axis of a sliding window over an input, by the rules of TensorFlow's convolutions and poolings.
struct WindowAxis {
  std::int32_t in = 0;
  std::int32_t window = 1;
  std::int32_t stride = 1;
  std::int32_t dilation = 1;
  std::int32_t out = 0;
  std::int32_t pad_before = 0;
  std::int32_t pad_after = 0;

  /// Returns the input position where the window of output `o` begins; negative inside the padding.
  std::int32_t origin(std::int32_t o) const { return o * stride - pad_before; }
  /// Returns the first tap inside the input, for a window that begins at `origin`.
  std::int32_t first_tap(std::int32_t origin) const {
    return origin < 0 ? (-origin + dilation - 1) / dilation : 0;
  }
  /// Returns one past the last tap inside the input; at most first_tap() if there is none.
  std::int32_t end_tap(std::int32_t origin) const {
    const std::int32_t room = (in - origin + dilation - 1) / dilation;
    return origin >= in ? 0 : room < window ? room : window;
  }
  /// True if a window reaches outside the input: into the padding or, where the output's size is rounded up,
  /// past the end.
  bool overhangs() const { return pad_before > 0 || origin(out - 1) + (window - 1) * dilation >= in; }
  friend bool operator==(const WindowAxis&, const WindowAxis&) = default;
};

/// Returns one axis with its output size and pads. `before`, `after` and `rounding` are used for
/// Padding::kExplicit only. Throws if a size is out of range or the output's would be negative; `in` may be
/// 0.
WindowAxis window_axis(std::int32_t in, std::int32_t window, std::int32_t stride, std::int32_t dilation,
                       Padding padding, std::int32_t before = 0, std::int32_t after = 0,
                       Rounding rounding = Rounding::kFloor);

/// Throws Error(kInvalid) with TensorFlow.js's message if a window has both strides and dilations. `name` is
/// what the message calls the op ("conv2D").
void check_stride_or_dilation(const char* name, std::int32_t stride_h, std::int32_t stride_w,
                              std::int32_t dilation_h, std::int32_t dilation_w);

/// Window geometry of a pooling along the height and the width of NHWC images.
struct PoolGeometry {
  WindowAxis rows;
  WindowAxis columns;
};

/// Returns the geometry of a pooling of `x`, [N,H,W,C].
template <class Attrs>
PoolGeometry pool_geometry(const Dims& x, const Attrs& attrs) {
  return {window_axis(x[1], attrs.window_h, attrs.stride_h, attrs.dilation_h, attrs.padding, attrs.pad_top,
                      attrs.pad_bottom, attrs.rounding),
          window_axis(x[2], attrs.window_w, attrs.stride_w, attrs.dilation_w, attrs.padding, attrs.pad_left,
                      attrs.pad_right, attrs.rounding)};
}

/// Copies the window attributes of one op to those of another: strides, dilations, pads and rounding.
template <class To, class From>
To copy_window_attrs(const From& from) {
  To to;
  to.stride_h = from.stride_h;
  to.stride_w = from.stride_w;
  to.dilation_h = from.dilation_h;
  to.dilation_w = from.dilation_w;
  to.padding = from.padding;
  to.pad_top = from.pad_top;
  to.pad_bottom = from.pad_bottom;
  to.pad_left = from.pad_left;
  to.pad_right = from.pad_right;
  to.rounding = from.rounding;
  return to;
}

}  // namespace tenure
