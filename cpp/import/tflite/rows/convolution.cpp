#include <algorithm>
#include <array>

#include "import/tflite/families.h"
#include "ops/ops.h"

namespace tenure::tflite {
namespace {

constexpr Option kConvOptions[] = {{"padding", 0, Option::kByte},      {"stride_w", 1, Option::kInt, 0},
                                   {"stride_h", 2, Option::kInt, 0},   {"activation", 3, Option::kByte},
                                   {"dilation_w", 4, Option::kInt, 1}, {"dilation_h", 5, Option::kInt, 1}};
constexpr Option kDepthwiseOptions[] = {
    {"padding", 0, Option::kByte},    {"stride_w", 1, Option::kInt, 0},   {"stride_h", 2, Option::kInt, 0},
    {"activation", 4, Option::kByte}, {"dilation_w", 5, Option::kInt, 1}, {"dilation_h", 6, Option::kInt, 1}};
constexpr Option kTransposeOptions[] = {{"padding", 0, Option::kByte},
                                        {"stride_w", 1, Option::kInt, 0},
                                        {"stride_h", 2, Option::kInt, 0},
                                        {"activation", 3, Option::kByte}};
constexpr Option kVolumeOptions[] = {{"padding", 0, Option::kByte},      {"stride_d", 1, Option::kInt, 0},
                                     {"stride_w", 2, Option::kInt, 0},   {"stride_h", 3, Option::kInt, 0},
                                     {"activation", 4, Option::kByte},   {"dilation_d", 5, Option::kInt, 1},
                                     {"dilation_w", 6, Option::kInt, 1}, {"dilation_h", 7, Option::kInt, 1}};

std::int32_t read_positive(const Call& call, std::string_view name) {
  const std::int32_t number = call.attrs().integer(name, 1);
  check(number > 0, "its ", name, " is ", number);
  return number;
}

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
  const auto whole = [](std::int32_t extent, std::int32_t kernel, std::int32_t dilation,
                        std::int32_t stride) {
    const std::int64_t out = (std::int64_t{extent} + stride - 1) / stride;
    const std::int64_t reach = std::int64_t{kernel - 1} * dilation + 1;
    return static_cast<std::int32_t>(
        std::clamp<std::int64_t>((out - 1) * stride + reach - extent, 0, INT32_MAX));
  };
  const std::int32_t rows = whole(x.dim(1), kernel_h, attrs.dilation_h, left[0]);
  const std::int32_t columns = whole(x.dim(2), kernel_w, attrs.dilation_w, left[1]);
  attrs.padding = Padding::kExplicit;
  attrs.pad_top = rows / 2;
  attrs.pad_bottom = rows - rows / 2;
  attrs.pad_left = columns / 2;
  attrs.pad_right = columns - columns / 2;
}

Tensor take_strides(const Tensor& x, const std::array<std::int32_t, 2>& left) {
  if (left[0] == 1 && left[1] == 1) return x;
  return strided_slice(x, {.begin = {0, 0, 0, 0},
                           .end = {x.dim(0), x.dim(1), x.dim(2), x.dim(3)},
                           .strides = {1, left[0], left[1], 1}});
}

void check_images(const Tensor& x, const Tensor& filter) {
  check_shape(x.rank() == 4 && filter.rank() == 4, "expected images and a filter of rank 4, got ", x.shape(),
              " and ", filter.shape());
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

Tensor conv(const Call& call) {
  const Tensor& x = call[0];
  check_images(x, call[1]);
  const Tensor filter =
      call.attrs().integer(kPermuted, 0) != 0 ? call[1] : transpose(call[1], {Dims{1, 2, 3, 0}});
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

Tensor depthwise(const Call& call) {
  const Tensor& x = call[0];
  const Tensor& weights = call[1];
  check_images(x, weights);
  check_shape(weights.dim(0) == 1 && x.dim(3) > 0 && weights.dim(3) % x.dim(3) == 0, "a filter of ",
              weights.shape(), " does not fit images of ", x.shape());
  const Tensor filter =
      reshape(weights, {Shape{weights.dim(1), weights.dim(2), x.dim(3), weights.dim(3) / x.dim(3)}});
  std::array<std::int32_t, 2> left;
  ConvAttrs attrs = read_conv(call, left);
  set_pads(attrs, x, filter.dim(0), filter.dim(1), left);
  return activate(call, take_strides(depthwise_conv2d(x, filter, optional(call, 2), attrs), left));
}

Tensor transposed(const Call& call) {
  const Tensor& x = call[2];
  check_images(x, call[1]);
  const Tensor filter =
      call.attrs().integer(kPermuted, 0) != 0 ? call[1] : transpose(call[1], {Dims{1, 2, 0, 3}});
  const Dims shape = call.dims(0);
  check_shape(shape.rank == 4, "expected an output shape of 4 numbers, got ", shape.rank);
  const Tensor result = conv2d_transpose(x, filter,
                                         {.output_shape = {x.dim(0), shape[1], shape[2], filter.dim(2)},
                                          .stride_h = read_positive(call, "stride_h"),
                                          .stride_w = read_positive(call, "stride_w"),
                                          .padding = read_padding(call)});
  const Tensor bias = optional(call, 3);
  return activate(call, bias ? add(result, bias) : result);
}

Tensor conv_volume(const Call& call) {
  const Tensor result = conv3d(call[0], call[1],
                               {.stride_d = read_positive(call, "stride_d"),
                                .stride_h = read_positive(call, "stride_h"),
                                .stride_w = read_positive(call, "stride_w"),
                                .dilation_d = read_positive(call, "dilation_d"),
                                .dilation_h = read_positive(call, "dilation_h"),
                                .dilation_w = read_positive(call, "dilation_w"),
                                .padding = read_padding(call)});
  const Tensor bias = optional(call, 2);
  return activate(call, bias ? add(result, bias) : result);
}

Tensor transposed_volume(const Call& call) {
  const Dims shape = call.dims(0);
  check_shape(shape.rank == 5, "expected an output shape of 5 numbers, got ", shape.rank);
  const Tensor result = conv3d_transpose(call[2], call[1],
                                         {.output_shape = shape,
                                          .stride_d = read_positive(call, "stride_d"),
                                          .stride_h = read_positive(call, "stride_h"),
                                          .stride_w = read_positive(call, "stride_w"),
                                          .padding = read_padding(call)});
  const Tensor bias = optional(call, 3);
  return activate(call, bias ? add(result, bias) : result);
}

constexpr OpRow kRows[] = {
    {3, {"CONV_2D", conv}, kConvOptions, Quantized::kIntegerWeighted, Filter::kOhwi},
    {4, {"DEPTHWISE_CONV_2D", depthwise}, kDepthwiseOptions, Quantized::kWeighted},
    {67, {"TRANSPOSE_CONV", transposed}, kTransposeOptions, Quantized::kWeighted, Filter::kOhwiToHwoi},
    {132, {"CONV_3D", conv_volume}, kVolumeOptions},
    {141, {"CONV_3D_TRANSPOSE", transposed_volume}, kVolumeOptions},
};

}  // namespace

std::span<const OpRow> convolution_rows() { return kRows; }

}  // namespace tenure::tflite
