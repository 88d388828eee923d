#include "import/tflite/families.h"
#include "ops/ops.h"

namespace tenure::tflite {
namespace {

constexpr Option kTransposeOptions[] = {{"padding", 0, Option::kByte},
                                        {"stride_w", 1, Option::kInt, 0},
                                        {"stride_h", 2, Option::kInt, 0},
                                        {"activation", 3, Option::kByte}};
constexpr Option kVolumeOptions[] = {{"padding", 0, Option::kByte},      {"stride_d", 1, Option::kInt, 0},
                                     {"stride_w", 2, Option::kInt, 0},   {"stride_h", 3, Option::kInt, 0},
                                     {"activation", 4, Option::kByte},   {"dilation_d", 5, Option::kInt, 1},
                                     {"dilation_w", 6, Option::kInt, 1}, {"dilation_h", 7, Option::kInt, 1}};

/// Adds input `bias` if it is there, and applies the fused activation.
Tensor add_bias_and_activate(const Call& call, const Tensor& result, int bias) {
  return activate(call, has(call, bias) ? add(result, call[bias]) : result);
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
  return add_bias_and_activate(call, result, 2);
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
  return add_bias_and_activate(call, result, 3);
}

Tensor transposed(const Call& call) {
  const Tensor& x = call[2];
  const Tensor filter = read_transposed_filter(call, x);
  const Dims shape = call.dims(0);
  check_shape(shape.rank == 4, "expected an output shape of 4 numbers, got ", shape.rank);
  const Tensor result = conv2d_transpose(x, filter,
                                         {.output_shape = {x.dim(0), shape[1], shape[2], filter.dim(2)},
                                          .stride_h = read_positive(call, "stride_h"),
                                          .stride_w = read_positive(call, "stride_w"),
                                          .padding = read_padding(call)});
  return add_bias_and_activate(call, result, 3);
}

constexpr OpRow kRows[] = {
    {67, {"TRANSPOSE_CONV", transposed}, kTransposeOptions, Quantized::kWeighted, Filter::kOhwiToHwoi},
    {132, {"CONV_3D", conv_volume}, kVolumeOptions},
    {141, {"CONV_3D_TRANSPOSE", transposed_volume}, kVolumeOptions},
};

}  // namespace

Tensor read_transposed_filter(const Call& call, const Tensor& x) {
  check_images(x, call[1]);
  return call.attrs().integer(kPermuted, 0) != 0 ? call[1] : transpose(call[1], {Dims{1, 2, 0, 3}});
}

std::span<const OpRow> rare_convolution_rows() { return kRows; }

}  // namespace tenure::tflite
