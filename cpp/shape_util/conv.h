#pragma once

#include "shape_util/window.h"

namespace tenure {

/// Validated geometry of a convolution of NHWC images.
struct ConvGeometry {
  std::int32_t batch = 0;
  std::int32_t in_channels = 0;
  std::int32_t out_channels = 0;
  std::int32_t groups = 1;
  WindowAxis h;
  WindowAxis w;

  std::int32_t group_in() const { return in_channels / groups; }
  std::int32_t group_out() const { return out_channels / groups; }
  /// Returns the shape of the output, [batch, h, w, channels].
  Shape output() const { return {batch, h.out, w.out, out_channels}; }
};

/// Returns the geometry for input [N,H,W,C] and filter [h,w,C/groups,OC]. Throws if they do not match each
/// other or the attributes.
ConvGeometry conv2d_geometry(const Shape& x, const Shape& filter, const ConvAttrs& attrs);

/// Returns the geometry for input [N,H,W,C] and filter [h,w,C,multiplier], with a group for each input
/// channel. Throws if they do not match each other or the attributes.
ConvGeometry depthwise_conv2d_geometry(const Shape& x, const Shape& filter, const ConvAttrs& attrs);

/// Returns the geometry of the convolution of which a transposed one is the transpose: from
/// attrs.output_shape to `x`, with filter [h,w,in,out]. `h.in` is thus the height of the transposed
/// convolution's output. Throws if the arguments do not match.
ConvGeometry conv2d_transpose_geometry(const Shape& x, const Shape& filter, const ConvTransposeAttrs& attrs);

/// True if the window is one pixel of stride 1 without padding: output pixel i reads only input pixel i.
inline bool is_pointwise(const ConvGeometry& g) {
  const auto one = [](const WindowAxis& axis) {
    return axis.window == 1 && axis.stride == 1 && axis.pad_before == 0 && axis.pad_after == 0;
  };
  return one(g.h) && one(g.w);
}

/// Returns the windows of a convolution of integers.
inline ConvAttrs get_conv_attrs(const IntegerConvAttrs& attrs) {
  return {.stride_h = attrs.stride_h,
          .stride_w = attrs.stride_w,
          .dilation_h = attrs.dilation_h,
          .dilation_w = attrs.dilation_w,
          .padding = attrs.padding,
          .pad_top = attrs.pad_top,
          .pad_bottom = attrs.pad_bottom,
          .pad_left = attrs.pad_left,
          .pad_right = attrs.pad_right};
}

/// Returns the attributes of the convolution whose gradient ops have these attributes.
ConvAttrs get_forward_attrs(const ConvTransposeAttrs& attrs);
/// Returns the attributes of the ops that compute a convolution's gradient of its input or filter, which has
/// this shape.
ConvTransposeAttrs get_backward_attrs(const ConvAttrs& attrs, const Shape& shape);

}  // namespace tenure
