#pragma once

#include "import/onnx/row.h"

namespace tenure::onnx {

/// The windows of a convolution or a pooling along the spatial axes of [N,C,...].
struct WindowArgs {
  Dims kernel = {};
  Dims strides = {};
  Dims dilations = {};
  Dims before = {};  ///< pads
  Dims after = {};

  int rank() const { return kernel.rank; }
};

/// Throws unless kernel extents, strides and dilations are positive.
void check_positive(const WindowArgs& windows);
/// Reads the attributes of a node whose input has the spatial extents `extents`. "auto_pad" becomes pads.
WindowArgs read_windows(const Call& call, const Dims& extents, const Dims& kernel);
/// Returns an attribute of one number for each spatial axis; ones if there is none.
Dims read_spatial(const Call& call, std::string_view name, int rank, std::int32_t otherwise = 1);

/// Returns how often the windows fit into an input of spatial extents `extents`, with their pads. Throws
/// unless they fit once.
Dims output_extents(const WindowArgs& windows, const Dims& extents);

/// Returns the attribute "pads": those before each spatial axis, then those after. Empty if there is none.
std::vector<std::int32_t> read_pads(const Call& call, int rank);

/// Returns the extents of [N,C,...] after the first two. Throws unless there is one at least.
Dims spatial_extents(const Tensor& x);

/// Transposes [N,C,W], [N,C,H,W] or [N,C,D,H,W] to the kernels' layout, with a height of 1 for the first.
Tensor to_images(const Tensor& x);
/// Returns the inverse of to_images() for a rank.
Tensor from_images(const Tensor& x, int rank);

/// Sets the fields of ConvAttrs and PoolAttrs for windows of one or two axes.
template <class A>
void set_windows(A& attrs, const WindowArgs& windows) {
  const int last = windows.rank() - 1;
  attrs.stride_w = windows.strides[last];
  attrs.dilation_w = windows.dilations[last];
  attrs.pad_left = windows.before[last];
  attrs.pad_right = windows.after[last];
  attrs.padding = Padding::kExplicit;
  if (last == 0) return;
  attrs.stride_h = windows.strides[0];
  attrs.dilation_h = windows.dilations[0];
  attrs.pad_top = windows.before[0];
  attrs.pad_bottom = windows.after[0];
}

/// The kernels do not take strides together with dilations. Returns the strides that are to be taken of the
/// result instead, and makes those of `windows` 1; returns no strides where the kernels take them.
Dims detach_strides(WindowArgs& windows);
/// Returns each image row and column, or slice, of [N,...,C] that detached strides leave.
Tensor take_strides(const Tensor& x, const Dims& strides);

/// Returns the spatial extents of weights [out, in, ...].
Dims get_kernel_shape(const Tensor& weights);
/// Returns a filter [out, in, ...] with its two first axes last and in reverse, and a height of 1 for one
/// axis.
Tensor to_filter(const Tensor& weights);
/// Returns a filter [channels * multiplier, 1, ...] as [height, width, channels, multiplier].
Tensor to_depthwise_filter(const Tensor& weights, std::int32_t channels);
/// Splits an axis into parts of equal extents, one for each group.
Tensors split_groups(const Tensor& x, std::int32_t groups, int axis);

/// Pads the spatial axes of [N,...,C] with zeros.
Tensor pad_images(const Tensor& x, const WindowArgs& windows);

}  // namespace tenure::onnx
