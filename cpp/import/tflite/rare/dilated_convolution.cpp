// Convolutions with dilated windows or in groups.

#include <array>

#include "import/tflite/row.h"
#include "ops/ops.h"
#include "shape_util/window.h"

namespace tenure::tflite {
namespace {

/// Returns the windows' attributes. The kernels do not take strides together with dilations: those that they
/// do not take are returned in `left`, to be taken of the result.
ConvAttrs read_conv(const Call& call, std::array<std::int32_t, 2>& left) {
  ConvAttrs attrs{.stride_h = read_positive(call, "stride_h"),
                  .stride_w = read_positive(call, "stride_w"),
                  .dilation_h = read_positive(call, "dilation_h"),
                  .dilation_w = read_positive(call, "dilation_w"),
                  .padding = read_padding(call)};
  left = {1, 1};
  const bool has_strides = attrs.stride_h > 1 || attrs.stride_w > 1;
  if (has_strides && (attrs.dilation_h > 1 || attrs.dilation_w > 1)) {
    left = {attrs.stride_h, attrs.stride_w};
    attrs.stride_h = attrs.stride_w = 1;
  }
  return attrs;
}

/// Sets explicit pads of windows of `kernel` with detached strides: those of SAME depend on the strides.
void set_pads(ConvAttrs& attrs, const Tensor& x, std::int32_t kernel_h, std::int32_t kernel_w,
              const std::array<std::int32_t, 2>& left) {
  if (attrs.padding != Padding::kSame || (left[0] == 1 && left[1] == 1)) return;
  const WindowAxis rows = window_axis(x.dim(1), kernel_h, left[0], attrs.dilation_h, Padding::kSame);
  const WindowAxis columns = window_axis(x.dim(2), kernel_w, left[1], attrs.dilation_w, Padding::kSame);
  attrs.padding = Padding::kExplicit;
  attrs.pad_top = rows.pad_before;
  attrs.pad_bottom = rows.pad_after;
  attrs.pad_left = columns.pad_before;
  attrs.pad_right = columns.pad_after;
}

Tensor take_strides(const Tensor& x, const std::array<std::int32_t, 2>& left) {
  if (left[0] == 1 && left[1] == 1) return x;
  return strided_slice(x, {.begin = {0, 0, 0, 0},
                           .end = {x.dim(0), x.dim(1), x.dim(2), x.dim(3)},
                           .strides = {1, left[0], left[1], 1}});
}

IntegerConvAttrs integer_attrs(const ConvAttrs& attrs) {
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

}  // namespace

Tensor convolve_dilated_or_grouped(const Call& call, const Tensor& filter) {
  const Tensor& x = call[0];
  std::array<std::int32_t, 2> left;
  ConvAttrs attrs = read_conv(call, left);
  set_pads(attrs, x, filter.dim(0), filter.dim(1), left);
  const std::int32_t channels = filter.dim(2);
  const Tensor bias = optional(call, 2);
  const bool is_integer = filter.dtype() == DType::kInt32;
  if (channels == x.dim(3) || channels == 0) {
    return is_integer ? take_strides(convolve_integers(call, x, filter, integer_attrs(attrs)), left)
                      : activate(call, take_strides(conv2d(x, filter, bias, attrs), left));
  }
  // A grouped convolution has a filter of fewer channels.
  check_shape(x.dim(3) >= channels && x.dim(3) % channels == 0 && filter.dim(3) % (x.dim(3) / channels) == 0,
              "a filter of ", channels, " channels and ", filter.dim(3), " filters does not fit images of ",
              x.shape());
  // The graph of a plan has a node for each group.
  constexpr std::int32_t kMaxGroups = 1 << 10;
  const std::int32_t groups = x.dim(3) / channels;
  check_shape(groups <= kMaxGroups, "it has ", groups, " groups, at most ", kMaxGroups, " are supported");
  const auto divide = [&](const Tensor& whole) {
    const std::vector<std::int32_t> sizes(static_cast<std::size_t>(groups), whole.dim(3) / groups);
    return split(whole, {.sizes = sizes, .axis = 3});
  };
  const Tensors images = divide(x);
  const Tensors filters = divide(filter);
  Tensors results;
  for (std::size_t i = 0; i < images.size(); ++i) {
    results.push_back(is_integer ? conv2d_integer(images[i], filters[i], integer_attrs(attrs))
                                 : conv2d(images[i], filters[i], attrs));
  }
  const Tensor joined = concat(results, {3});
  const Tensor result = take_strides(bias ? add(joined, bias) : joined, left);
  return is_integer ? rescale(call, as_dtype(result, DType::kFloat32)) : activate(call, result);
}

Tensor convolve_dilated_depthwise(const Call& call, const Tensor& filter) {
  const Tensor& x = call[0];
  std::array<std::int32_t, 2> left;
  ConvAttrs attrs = read_conv(call, left);
  set_pads(attrs, x, filter.dim(0), filter.dim(1), left);
  if (filter.dtype() == DType::kInt32)
    return take_strides(convolve_integers(call, x, filter, integer_attrs(attrs)), left);
  return activate(call, take_strides(depthwise_conv2d(x, filter, optional(call, 2), attrs), left));
}

}  // namespace tenure::tflite
