#pragma once

#include "shape_util/window.h"

namespace tenure {

/// A convolution of NHWC images, checked: what a kernel needs to know of its shapes.
struct ConvGeometry {
  std::int32_t batch = 0;
  std::int32_t in_channels = 0;
  std::int32_t out_channels = 0;
  std::int32_t groups = 1;
  WindowAxis h;
  WindowAxis w;

  std::int32_t group_in() const { return in_channels / groups; }
  std::int32_t group_out() const { return out_channels / groups; }
  /// Images of the output, [batch, h, w, channels].
  Shape output() const { return {batch, h.out, w.out, out_channels}; }
};

/// Input [N,H,W,C], filter [h,w,C/groups,OC]. Throws when they do not fit each other or the attributes.
ConvGeometry conv2d_geometry(const Shape& x, const Shape& filter, const ConvAttrs& attrs);

/// Input [N,H,W,C], filter [h,w,C,multiplier]; a group for each input channel.
ConvGeometry depthwise_conv2d_geometry(const Shape& x, const Shape& filter, const ConvAttrs& attrs);

/// The convolution that a transposed one runs backwards: it goes from attrs.output_shape to x, with filter
/// [h,w,in,out] seen from there, so that `h.in` is the height of the transposed convolution's output.
ConvGeometry conv2d_transpose_geometry(const Shape& x, const Shape& filter, const ConvTransposeAttrs& attrs);

/// The convolution whose gradients ops with these attributes compute.
ConvAttrs forward_of(const ConvTransposeAttrs& attrs);
/// Attributes of the ops that compute a convolution's gradients, of its input or its filter, of this shape.
ConvTransposeAttrs backward_of(const ConvAttrs& attrs, const Shape& shape);

}  // namespace tenure
