#include <array>
#include <cmath>

#include "import/graphdef/families.h"
#include "import/graphdef/layout.h"
#include "import/graphdef/rows/fused.h"
#include "ops/ops.h"

namespace tenure::graphdef {
namespace {

/// Returns the numbers of an attribute for the N spatial axes of [batch,...,channels] or
/// [batch,channels,...]: height and width, or depth, height and width. Returns ones if there is no such
/// attribute.
template <std::size_t N>
std::array<std::int32_t, N> spatial(const Call& call, std::string_view name) {
  std::array<std::int32_t, N> numbers;
  numbers.fill(1);
  const std::span<const double> list = call.attrs().numbers(name);
  if (list.empty()) return numbers;
  check(list.size() == N + 2, "attribute \"", name, "\" has ", list.size(), " numbers, ", N + 2,
        " were expected");
  for (const double number : list)
    check(number == std::floor(number) && number >= 0 && number <= INT32_MAX, "attribute \"", name,
          "\" has the number ", number);
  const std::size_t first = is_channels_first(call) ? 2 : 1;
  for (std::size_t i = 0; i < N; ++i) numbers[i] = static_cast<std::int32_t>(list[first + i]);
  return numbers;
}

/// Reads padding into attributes that have the fields of ConvAttrs.
template <class A>
void read_padding(const Call& call, A& attrs) {
  const std::string_view padding = call.attrs().string("padding");
  check(padding == "SAME" || padding == "VALID" || padding == "EXPLICIT", "attribute \"padding\" is \"",
        padding, "\"; known are SAME, VALID and EXPLICIT");
  attrs.padding = padding == "SAME"    ? Padding::kSame
                  : padding == "VALID" ? Padding::kValid
                                       : Padding::kExplicit;
  if (attrs.padding != Padding::kExplicit) return;
  const std::span<const double> pads = call.attrs().numbers("explicit_paddings");
  check(pads.size() == 8, "attribute \"explicit_paddings\" has ", pads.size(), " numbers, 8 were expected");
  const std::size_t first = is_channels_first(call) ? 4 : 2;
  std::int32_t* const to[] = {&attrs.pad_top, &attrs.pad_bottom, &attrs.pad_left, &attrs.pad_right};
  for (std::size_t i = 0; i < 4; ++i) {
    const double pad = pads[first + i];
    check(pad >= 0 && pad <= INT32_MAX, "attribute \"explicit_paddings\" has the number ", pad);
    *to[i] = static_cast<std::int32_t>(pad);
  }
}

ConvAttrs conv_attrs(const Call& call) {
  const auto [stride_h, stride_w] = spatial<2>(call, "strides");
  const auto [dilation_h, dilation_w] = spatial<2>(call, "dilations");
  ConvAttrs attrs{
      .stride_h = stride_h, .stride_w = stride_w, .dilation_h = dilation_h, .dilation_w = dilation_w};
  read_padding(call, attrs);
  return attrs;
}

using ConvFunction = Tensor (*)(const Tensor& x, const Tensor& filter, const Tensor& bias,
                                const ConvAttrs& attrs);

Tensor full(const Tensor& x, const Tensor& filter, const Tensor& bias, const ConvAttrs& attrs) {
  return conv2d(x, filter, bias, attrs);
}
Tensor depthwise(const Tensor& x, const Tensor& filter, const Tensor& bias, const ConvAttrs& attrs) {
  return depthwise_conv2d(x, filter, bias, attrs);
}

template <ConvFunction convolve>
Tensor conv(const Call& call) {
  const bool first = is_channels_first(call);
  return from_channels_last(convolve(to_channels_last(call[0], first), call[1], Tensor(), conv_attrs(call)),
                            first);
}

template <ConvFunction convolve>
Tensor fused_conv(const Call& call) {
  const FusedEpilogue fused = read_fused(call);
  const bool first = is_channels_first(call);
  const Tensor result = convolve(to_channels_last(call[0], first), call[1], fused.bias, conv_attrs(call));
  return from_channels_last(activate(result, fused), first);
}

Tensor conv1d(const Call& call) {
  const std::int32_t stride = call.attrs().integer("stride", 1);
  const std::int32_t dilation = call.attrs().integer("dilation", 1);
  ConvAttrs attrs{.stride_w = stride, .dilation_w = dilation};
  read_padding(call, attrs);
  return squeeze(conv2d(expand_dims(call[0], {-3}), expand_dims(call[1], {0}), attrs), {Dims{-3}});
}

Tensor conv_transpose(const Call& call) {
  const auto [stride_h, stride_w] = spatial<2>(call, "strides");
  const auto [dilation_h, dilation_w] = spatial<2>(call, "dilations");
  const bool first = is_channels_first(call);
  Dims shape = call.dims(0);
  check_shape(shape.rank == 4, "expected an output shape of 4 numbers, got ", shape.rank);
  if (first) shape = {shape[0], shape[2], shape[3], shape[1]};
  ConvTransposeAttrs attrs{.output_shape = shape,
                           .stride_h = stride_h,
                           .stride_w = stride_w,
                           .dilation_h = dilation_h,
                           .dilation_w = dilation_w};
  read_padding(call, attrs);
  return from_channels_last(conv2d_transpose(to_channels_last(call[2], first), call[1], attrs), first);
}

template <Tensor (*pool)(const Tensor&, const PoolAttrs&)>
Tensor pooling(const Call& call) {
  const auto [window_h, window_w] = spatial<2>(call, "ksize");
  const auto [stride_h, stride_w] = spatial<2>(call, "strides");
  PoolAttrs attrs{.window_h = window_h, .window_w = window_w, .stride_h = stride_h, .stride_w = stride_w};
  read_padding(call, attrs);
  const bool first = is_channels_first(call);
  return from_channels_last(pool(to_channels_last(call[0], first), attrs), first);
}

EdgeValues pool_with_argmax(const Call& call) {
  const auto [window_h, window_w] = spatial<2>(call, "ksize");
  const auto [stride_h, stride_w] = spatial<2>(call, "strides");
  MaxPoolWithArgmaxAttrs attrs{.window_h = window_h,
                               .window_w = window_w,
                               .stride_h = stride_h,
                               .stride_w = stride_w,
                               .counts_batch = call.attrs().flag("include_batch_in_index")};
  read_padding(call, attrs);
  const Tensors results = max_pool_with_argmax(call[0], attrs);
  return {results.begin(), results.end()};
}

Tensor dilated(const Call& call) {
  const auto [stride_h, stride_w] = spatial<2>(call, "strides");
  const auto [dilation_h, dilation_w] = spatial<2>(call, "rates");
  ConvAttrs attrs{
      .stride_h = stride_h, .stride_w = stride_w, .dilation_h = dilation_h, .dilation_w = dilation_w};
  read_padding(call, attrs);
  return dilation2d(call[0], call[1], attrs);
}

Padding volume_padding(const Call& call) {
  const std::string_view padding = call.attrs().string("padding");
  check(padding == "SAME" || padding == "VALID", "attribute \"padding\" is \"", padding,
        "\"; known are SAME and VALID");
  return padding == "SAME" ? Padding::kSame : Padding::kValid;
}

Tensor conv_volume(const Call& call) {
  const auto [stride_d, stride_h, stride_w] = spatial<3>(call, "strides");
  const auto [dilation_d, dilation_h, dilation_w] = spatial<3>(call, "dilations");
  const bool first = is_channels_first(call);
  return from_channels_last(
      conv3d(to_channels_last(call[0], first), call[1],
             {stride_d, stride_h, stride_w, dilation_d, dilation_h, dilation_w, volume_padding(call)}),
      first);
}

template <Tensor (*pool)(const Tensor&, const Pool3DAttrs&)>
Tensor pool_volume(const Call& call) {
  const auto [window_d, window_h, window_w] = spatial<3>(call, "ksize");
  const auto [stride_d, stride_h, stride_w] = spatial<3>(call, "strides");
  const bool first = is_channels_first(call);
  return from_channels_last(pool(to_channels_last(call[0], first), {.window_d = window_d,
                                                                    .window_h = window_h,
                                                                    .window_w = window_w,
                                                                    .stride_d = stride_d,
                                                                    .stride_h = stride_h,
                                                                    .stride_w = stride_w,
                                                                    .padding = volume_padding(call)}),
                            first);
}

constexpr Row kRows[] = {
    {"MaxPoolWithArgmax", pool_with_argmax, "output,argmax"},
    {"Dilation2D", dilated},
    {"Conv3D", conv_volume},
    {"MaxPool3D", pool_volume<max_pool3d>},
    {"AvgPool3D", pool_volume<avg_pool3d>},
    {"_FusedConv2D", fused_conv<full>},
    {"DepthwiseConv2dNative", conv<depthwise>},
    {"DepthwiseConv2d", conv<depthwise>},
    {"FusedDepthwiseConv2dNative", fused_conv<depthwise>},
    {"Conv2D", conv<full>},
    {"MaxPool", pooling<max_pool>},
    {"AvgPool", pooling<avg_pool>},
    {"Conv2DBackpropInput", conv_transpose},
    {"Conv2dTranspose", conv_transpose},
    {"Conv1D", conv1d},
};

}  // namespace

bool is_channels_first(const Call& call) {
  const std::string_view format = call.attrs().string("data_format");
  return format == "NCHW" || format == "NCW" || format == "NCDHW";
}

std::span<const Row> convolution_rows() { return kRows; }

}  // namespace tenure::graphdef
