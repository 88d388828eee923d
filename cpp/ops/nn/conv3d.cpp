// Convolutions and poolings over depth, height and width, composed of those over height and width.
#include "core/error.h"
#include "ops/collapsed_extent.h"
#include "ops/infer.h"
#include "ops/ops.h"
#include "shape_util/window.h"

namespace tenure::composed {
namespace {

Tensor as_images(const Tensor& x) {
  return reshape(x, {{collapsed_extent({x.dim(0), x.dim(1)}), x.dim(2), x.dim(3), x.dim(4)}});
}

/// Returns filters [d, h, w, a, b] as [h, w, d * a, b].
Tensor as_image_filters(const Tensor& filter) {
  return reshape(
      transpose(filter, {{1, 2, 0, 3, 4}}),
      {{filter.dim(1), filter.dim(2), collapsed_extent({filter.dim(0), filter.dim(3)}), filter.dim(4)}});
}

// Returns the images of all taps of a window along the depth, concatenated as channels: [n * out, h, w, taps
// * channels].
Tensor gather_depth_taps(const Tensor& x, const WindowAxis& depth) {
  if (depth.window == 1 && depth.stride == 1 && depth.pad_before == 0 && depth.pad_after == 0)
    return as_images(x);
  const Tensor padded =
      pad(x, {.before = {0, depth.pad_before, 0, 0, 0}, .after = {0, depth.pad_after, 0, 0, 0}});
  Tensors taps;
  taps.reserve(static_cast<std::size_t>(depth.window));
  for (std::int32_t tap = 0; tap < depth.window; ++tap) {
    const std::int32_t begin = tap * depth.dilation;
    taps.push_back(strided_slice(padded, {.begin = {0, begin},
                                          .end = {x.dim(0), begin + (depth.out - 1) * depth.stride + 1},
                                          .strides = {1, depth.stride}}));
  }
  return as_images(concat(TensorList(taps), {.axis = 4}));
}

void check_volumes(const Tensor& x, const Tensor& filter, const char* op) {
  check_shape(x.rank() == 5, "Error in ", op, ": input must be rank 5, but got rank ", x.rank(), ".");
  check_shape(filter.rank() == 5, "Error in ", op, ": filter must be rank 5, but got rank ", filter.rank(),
              ".");
}

/// Returns how a window slides along one axis. A window larger than the padded axis has no positions, which
/// TensorFlow.js allows for volumes only.
WindowAxis volume_axis(std::int32_t in, std::int32_t window, std::int32_t stride, const Pool3DAttrs& attrs) {
  const std::int32_t pad = attrs.padding == Padding::kExplicit ? attrs.pad : 0;
  const bool is_too_large =
      attrs.padding != Padding::kSame && pad >= 0 && std::int64_t{window} > in + 2 * std::int64_t{pad};
  return window_axis(is_too_large ? window - 1 : in, window, stride, 1,
                     is_too_large ? Padding::kValid : attrs.padding, pad, pad, attrs.rounding);
}

template <class Pool>
Tensor pool3d(const Tensor& x, const Pool3DAttrs& attrs, const char* op, Pool pool) {
  check_shape(x.rank() == 5, "Error in ", op, ": x must be rank 5 but got rank ", x.rank(), ".");
  const WindowAxis depth = volume_axis(x.dim(1), attrs.window_d, attrs.stride_d, attrs);
  const WindowAxis height = volume_axis(x.dim(2), attrs.window_h, attrs.stride_h, attrs);
  const WindowAxis width = volume_axis(x.dim(3), attrs.window_w, attrs.stride_w, attrs);
  if (depth.out == 0 || height.out == 0 || width.out == 0)
    return fill({.shape = {x.dim(0), depth.out, height.out, width.out, x.dim(4)}, .dtype = x.dtype()});
  // Mean and maximum over a box are separable: first over height and width, then over depth.
  const Tensor images = pool(as_images(x), PoolAttrs{.window_h = attrs.window_h,
                                                     .window_w = attrs.window_w,
                                                     .stride_h = attrs.stride_h,
                                                     .stride_w = attrs.stride_w,
                                                     .padding = attrs.padding,
                                                     .pad_top = attrs.pad,
                                                     .pad_bottom = attrs.pad,
                                                     .pad_left = attrs.pad,
                                                     .pad_right = attrs.pad,
                                                     .rounding = attrs.rounding});
  const std::int32_t pixels = collapsed_extent({images.dim(1), images.dim(2)});
  const Tensor rows = reshape(images, {{x.dim(0), x.dim(1), pixels, x.dim(4)}});
  const Tensor result = pool(rows, PoolAttrs{.window_h = attrs.window_d,
                                             .stride_h = attrs.stride_d,
                                             .padding = attrs.padding,
                                             .pad_top = attrs.pad,
                                             .pad_bottom = attrs.pad,
                                             .rounding = attrs.rounding});
  return reshape(result, {{x.dim(0), depth.out, images.dim(1), images.dim(2), x.dim(4)}});
}

}  // namespace

Tensor conv3d(const Tensor& x, const Tensor& filter, const Conv3DAttrs& attrs) {
  check_volumes(x, filter, "conv3d");
  check_shape(x.dim(4) == filter.dim(3), "Error in conv3d: depth of input (", x.dim(4),
              ") must match input depth for filter ", filter.dim(3), ".");
  const bool strides = attrs.stride_d != 1 || attrs.stride_h != 1 || attrs.stride_w != 1;
  const bool dilates = attrs.dilation_d != 1 || attrs.dilation_h != 1 || attrs.dilation_w != 1;
  check(!strides || !dilates, "Error in conv3D: Either strides or dilations must be 1. Got strides ",
        attrs.stride_d, ",", attrs.stride_h, ",", attrs.stride_w, " and dilations '", attrs.dilation_d, ",",
        attrs.dilation_h, ",", attrs.dilation_w, "'");
  const WindowAxis depth =
      window_axis(x.dim(1), filter.dim(0), attrs.stride_d, attrs.dilation_d, attrs.padding);
  const Tensor y = conv2d(gather_depth_taps(x, depth), as_image_filters(filter),
                          {.stride_h = attrs.stride_h,
                           .stride_w = attrs.stride_w,
                           .dilation_h = attrs.dilation_h,
                           .dilation_w = attrs.dilation_w,
                           .padding = attrs.padding});
  return reshape(y, {{x.dim(0), depth.out, y.dim(1), y.dim(2), y.dim(3)}});
}

Tensor conv3d_transpose(const Tensor& x, const Tensor& filter, const Conv3DTransposeAttrs& attrs) {
  const Shape out(attrs.output_shape);
  check_volumes(x, filter, "conv3dTranspose");
  check_shape(out.rank == 5, "Error in conv3dTranspose: outShape must be length 5, but got length ", out.rank,
              ".");
  out.validate();
  check_shape(out[0] == x.dim(0), "expected an outShape for ", x.dim(0), " examples, got ", out);
  check_shape(out[4] == filter.dim(3), "Error in conv3dTranspose: depth of output (", out[4],
              ") must match output depth for filter ", filter.dim(3), ".");
  const WindowAxis depth = window_axis(out[1], filter.dim(0), attrs.stride_d, 1, attrs.padding);
  check_shape(depth.out == x.dim(1), "a depth of ", out[1], " has ", depth.out,
              " windows, but x has a depth of ", x.dim(1));
  const std::int32_t taps = depth.window;
  const Tensor y = conv2d_transpose(as_images(x), as_image_filters(filter),
                                    {.output_shape = {collapsed_extent({x.dim(0), x.dim(1)}), out[2], out[3],
                                                      collapsed_extent({taps, out[4]})},
                                     .stride_h = attrs.stride_h,
                                     .stride_w = attrs.stride_w,
                                     .padding = attrs.padding});
  const Tensor parted = reshape(y, {{x.dim(0), x.dim(1), out[2], out[3], taps, out[4]}});
  const Tensor slices = reshape(transpose(parted, {{0, 1, 4, 2, 3, 5}}),
                                {{x.dim(0), collapsed_extent({x.dim(1), taps}), out[2], out[3], out[4]}});
  // Adds each tap of each window at its depth. Taps in the padding are out of range and dropped.
  Tensor indices({{slices.dim(1)}, DType::kInt32});
  auto* index = indices.mutable_data<std::int32_t>();
  for (std::int32_t o = 0; o < x.dim(1); ++o)
    for (std::int32_t tap = 0; tap < taps; ++tap) *index++ = depth.origin(o) + tap;
  return unsorted_segment_sum(slices, indices, {.segments = out[1], .axis = 1});
}

Tensor max_pool3d(const Tensor& x, const Pool3DAttrs& attrs) {
  return pool3d(x, attrs, "maxPool3d",
                [](const Tensor& images, const PoolAttrs& how) { return max_pool(images, how); });
}

Tensor avg_pool3d(const Tensor& x, const Pool3DAttrs& attrs) {
  const auto average = [](const Tensor& images, const PoolAttrs& how) { return avg_pool(images, how); };
  Tensor y = pool3d(x, attrs, "avgPool3d", average);
  if (attrs.padding != Padding::kExplicit || attrs.pad == 0) return y;
  // A window entirely in the padding has a mean of 0 for volumes, but NaN for images, as in TensorFlow.js.
  const Tensor ones = fill({.shape = {1, x.dim(1), x.dim(2), x.dim(3), 1}, .value = 1});
  return where(is_nan(pool3d(ones, attrs, "avgPool3d", average)), Tensor::scalar(0.0F), y);
}

}  // namespace tenure::composed
