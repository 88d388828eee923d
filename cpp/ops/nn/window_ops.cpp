// Other ops on sliding windows: max pooling with argmax, grayscale dilation and local response normalization.
#include <limits>

#include "core/error.h"
#include "ops/collapsed_extent.h"
#include "ops/infer.h"
#include "ops/ops.h"
#include "shape_util/window.h"

namespace tenure::composed {

Tensors max_pool_with_argmax(const Tensor& x, const MaxPoolWithArgmaxAttrs& attrs) {
  auto how = copy_window_attrs<PoolAttrs>(attrs);
  how.window_h = attrs.window_h;
  how.window_w = attrs.window_w;
  const Tensor result = max_pool(x, how);
  const Tensor places = max_pool_positions(x, how);
  if (attrs.counts_batch != 0) return {result, places};
  const auto image = static_cast<std::int32_t>(x.shape().elements(1, 4));
  return {result, mod(places, Tensor::scalar(image))};
}

Tensor dilation2d(const Tensor& x, const Tensor& filter, const ConvAttrs& attrs) {
  check_shape(x.rank() == 4, "Error in dilation2d: input must be rank 3 or 4, but got rank ", x.rank(), ".");
  check_shape(filter.rank() == 3, "Error in dilation2d: filter must be rank 3, but got rank ", filter.rank(),
              ".");
  check_shape(x.dim(3) == filter.dim(2),
              "Error in dilation2d:  input and filter must have the same depth: ", x.dim(3), " vs ",
              filter.dim(2));
  const WindowAxis rows = window_axis(x.dim(1), filter.dim(0), attrs.stride_h, attrs.dilation_h,
                                      attrs.padding, attrs.pad_top, attrs.pad_bottom, attrs.rounding);
  const WindowAxis columns = window_axis(x.dim(2), filter.dim(1), attrs.stride_w, attrs.dilation_w,
                                         attrs.padding, attrs.pad_left, attrs.pad_right, attrs.rounding);
  // The padding is the lowest float, so that it is never the maximum.
  const Tensor padded =
      pad(cast(x, {DType::kFloat32}), {.before = {0, rows.pad_before, columns.pad_before, 0},
                                       .after = {0, rows.pad_after, columns.pad_after, 0},
                                       .value = std::numeric_limits<float>::lowest()});
  Tensor result;
  for (std::int32_t i = 0; i < rows.window; ++i) {
    for (std::int32_t j = 0; j < columns.window; ++j) {
      const std::int32_t top = i * rows.dilation;
      const std::int32_t left = j * columns.dilation;
      const Tensor seen = strided_slice(padded, {.begin = {0, top, left},
                                                 .end = {x.dim(0), top + (rows.out - 1) * rows.stride + 1,
                                                         left + (columns.out - 1) * columns.stride + 1},
                                                 .strides = {1, rows.stride, columns.stride}});
      const Tensor weight = slice(filter, {.begin = {i, j, 0}, .size = {1, 1, x.dim(3)}});
      const Tensor raised = add(seen, weight);
      result = result ? maximum(result, raised) : raised;
    }
  }
  return result;
}

/// Divides each channel by (bias + alpha s)^beta, where s is the sum of squares of the channels within
/// `radius`: a product with a band matrix of ones.
Tensor local_response_norm(const Tensor& x, const LocalResponseAttrs& attrs) {
  check_shape(x.rank() == 4,
              "Error in localResponseNormalization: x must be rank 3 or 4 but got\n               rank ",
              x.rank(), ".");
  const std::int32_t channels = x.dim(3);
  const Tensor ones = fill({.shape = {channels, channels}, .value = 1});
  const Tensor radius = Tensor::scalar(std::min(std::max(attrs.radius, -1), channels));
  const Tensor band = attrs.radius < 0 ? fill({.shape = ones.shape()}) : band_part(ones, radius, radius);
  const Tensor squares = reshape(square(cast(x, {DType::kFloat32})),
                                 {{collapsed_extent({x.dim(0), x.dim(1), x.dim(2)}), channels}});
  const Tensor around = reshape(mat_mul(squares, band), {x.shape()});
  const Tensor base = add(mul(around, Tensor::scalar(attrs.alpha)), Tensor::scalar(attrs.bias));
  return mul(x, pow(base, Tensor::scalar(-attrs.beta)));
}

}  // namespace tenure::composed
