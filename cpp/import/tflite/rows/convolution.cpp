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

ConvAttrs read_conv(const Call& call) {
  return {.stride_h = read_positive(call, "stride_h"),
          .stride_w = read_positive(call, "stride_w"),
          .padding = read_padding(call)};
}

IntegerConvAttrs read_integer_conv(const Call& call) {
  const ConvAttrs attrs = read_conv(call);
  return {.stride_h = attrs.stride_h, .stride_w = attrs.stride_w, .padding = attrs.padding};
}

bool has_dilation(const Call& call) {
  return call.attrs().integer("dilation_h", 1) != 1 || call.attrs().integer("dilation_w", 1) != 1;
}

Tensor conv(const Call& call) {
  const Tensor& x = call[0];
  check_images(x, call[1]);
  const Tensor filter =
      call.attrs().integer(kPermuted, 0) != 0 ? call[1] : transpose(call[1], {Dims{1, 2, 3, 0}});
  const std::int32_t channels = filter.dim(2);
  if (has_dilation(call) || (channels != x.dim(3) && channels != 0))
    return convolve_dilated_or_grouped(call, filter);
  if (filter.dtype() == DType::kInt32) return convolve_integers(call, x, filter, read_integer_conv(call));
  return activate(call, conv2d(x, filter, optional(call, 2), read_conv(call)));
}

Tensor depthwise(const Call& call) {
  const Tensor& x = call[0];
  const Tensor& weights = call[1];
  check_images(x, weights);
  check_shape(weights.dim(0) == 1 && x.dim(3) > 0 && weights.dim(3) % x.dim(3) == 0, "a filter of ",
              weights.shape(), " does not fit images of ", x.shape());
  const bool is_integer = weights.dtype() == DType::kInt32;
  const std::int32_t groups = is_integer ? 1 : x.dim(3);
  const Tensor filter =
      reshape(weights, {Shape{weights.dim(1), weights.dim(2), groups, weights.dim(3) / groups}});
  if (has_dilation(call)) return convolve_dilated_depthwise(call, filter);
  if (is_integer) return convolve_integers(call, x, filter, read_integer_conv(call));
  return activate(call, depthwise_conv2d(x, filter, optional(call, 2), read_conv(call)));
}

constexpr OpRow kRows[] = {
    {kConv, {"CONV_2D", conv}, kConvOptions, Quantized::kIntegerWeighted, Filter::kOhwi},
    {kDepthwiseConv, {"DEPTHWISE_CONV_2D", depthwise}, kDepthwiseOptions, Quantized::kIntegerWeighted},
};

}  // namespace

void check_images(const Tensor& x, const Tensor& filter) {
  check_shape(x.rank() == 4 && filter.rank() == 4, "expected images and a filter of rank 4, got ", x.shape(),
              " and ", filter.shape());
}

std::span<const OpRow> convolution_rows() { return kRows; }

}  // namespace tenure::tflite
