#include "shape_util/conv.h"

#include "core/error.h"

namespace tenure {
namespace {

void check_ranks(const char* name, const Shape& x, const Shape& filter) {
  check_shape(x.rank == 4, "Error in ", name, ": input must be rank 4, but got rank ", x.rank, ".");
  check_shape(filter.rank == 4, "Error in ", name, ": filter must be rank 4, but got rank ", filter.rank,
              ".");
}

// Both kinds of convolution attributes have these fields.
template <class Attrs>
WindowAxis rows(std::int32_t in, std::int32_t window, const Attrs& attrs, Rounding rounding) {
  return window_axis(in, window, attrs.stride_h, attrs.dilation_h, attrs.padding, attrs.pad_top,
                     attrs.pad_bottom, rounding);
}

template <class Attrs>
WindowAxis columns(std::int32_t in, std::int32_t window, const Attrs& attrs, Rounding rounding) {
  return window_axis(in, window, attrs.stride_w, attrs.dilation_w, attrs.padding, attrs.pad_left,
                     attrs.pad_right, rounding);
}

}  // namespace

ConvGeometry conv2d_geometry(const Shape& x, const Shape& filter, const ConvAttrs& attrs) {
  check_ranks("conv2d", x, filter);
  const std::int32_t depth = filter[2];
  const bool fits = depth == x[3] || (depth > 0 && x[3] > 0 && x[3] % depth == 0);
  check_shape(fits, "Error in conv2d: depth of input (", x[3], ") must match input depth for filter ", depth,
              ".");
  const std::int32_t groups = depth == x[3] ? 1 : x[3] / depth;
  check_shape(filter[3] % groups == 0, "Error in conv2d: the filter's ", filter[3],
              " output channels must be a multiple of the ", groups, " groups.");
  check_stride_or_dilation("conv2D", attrs.stride_h, attrs.stride_w, attrs.dilation_h, attrs.dilation_w);
  return {x[0],
          x[3],
          filter[3],
          groups,
          rows(x[1], filter[0], attrs, attrs.rounding),
          columns(x[2], filter[1], attrs, attrs.rounding)};
}

ConvGeometry depthwise_conv2d_geometry(const Shape& x, const Shape& filter, const ConvAttrs& attrs) {
  check_ranks("depthwiseConv2d", x, filter);
  check_shape(x[3] == filter[2], "Error in depthwiseConv2d: number of input channels (", x[3],
              ") must match the inChannels dimension in filter ", filter[2], ".");
  check_stride_or_dilation("depthwiseConv2d", attrs.stride_h, attrs.stride_w, attrs.dilation_h,
                           attrs.dilation_w);
  const std::int64_t out_channels = std::int64_t{x[3]} * filter[3];
  check_shape(out_channels <= INT32_MAX, "Error in depthwiseConv2d: ", out_channels,
              " output channels are too many.");
  return {x[0],
          x[3],
          static_cast<std::int32_t>(out_channels),
          x[3],
          rows(x[1], filter[0], attrs, attrs.rounding),
          columns(x[2], filter[1], attrs, attrs.rounding)};
}

ConvGeometry conv2d_transpose_geometry(const Shape& x, const Shape& filter, const ConvTransposeAttrs& attrs) {
  check_ranks("conv2dTranspose", x, filter);
  const Dims& out = attrs.output_shape;
  check_shape(out.rank == 4, "Error in conv2dTranspose: output shape must be length 4, but got length ",
              out.rank, ".");
  Shape(out).validate();
  check_shape(out[0] == x[0], "Error in conv2dTranspose: batch of output (", out[0],
              ") must match batch of input ", x[0], ".");
  check_shape(out[3] == filter[2], "Error in conv2dTranspose: depth of output (", out[3],
              ") must match output depth for filter ", filter[2], ".");
  check_shape(x[3] == filter[3], "Error in conv2dTranspose: depth of input (", x[3],
              ") must match input depth for filter ", filter[3], ".");
  const ConvGeometry geometry = {out[0],
                                 out[3],
                                 x[3],
                                 1,
                                 rows(out[1], filter[0], attrs, attrs.rounding),
                                 columns(out[2], filter[1], attrs, attrs.rounding)};
  check_shape(geometry.h.out == x[1] && geometry.w.out == x[2],
              "Error in conv2dTranspose: an output of shape ", out, " needs an input of shape ",
              geometry.output(), ", but got ", x, ".");
  return geometry;
}

ConvAttrs get_forward_attrs(const ConvTransposeAttrs& attrs) { return copy_window_attrs<ConvAttrs>(attrs); }

ConvTransposeAttrs get_backward_attrs(const ConvAttrs& attrs, const Shape& shape) {
  auto backward = copy_window_attrs<ConvTransposeAttrs>(attrs);
  backward.output_shape = shape;
  return backward;
}

}  // namespace tenure
