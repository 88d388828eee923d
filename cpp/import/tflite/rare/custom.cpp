// Custom ops of MediaPipe's models.

#include "import/tflite/families.h"
#include "import/tflite/rare/custom_options.h"
#include "ops/ops.h"

namespace tenure::tflite {
namespace {

/// The options of windows begin with the padding, of which 1 is SAME and 2 is VALID.
Padding read_custom_padding(const Call& call) {
  const std::int32_t number = read_option_integer(call, 0);
  check(number == 1 || number == 2, "its padding is number ", number, "; 1 is SAME and 2 is VALID");
  return number == 1 ? Padding::kSame : Padding::kValid;
}

std::int32_t read_positive_option(const Call& call, std::size_t i) {
  const std::int32_t number = read_option_integer(call, i);
  check(number > 0 && number <= kMaxExtent, "number ", i, " of its options is ", number);
  return number;
}

/// Transposes a convolution with a filter [out, height, width, in], and adds a bias.
Tensor transposed_with_bias(const Call& call) {
  const Tensor& x = call[0];
  const Tensor filter = read_transposed_filter(call, x);
  const Padding padding = read_custom_padding(call);
  const std::int32_t stride_w = read_positive_option(call, 1);
  const std::int32_t stride_h = read_positive_option(call, 2);
  const auto extent = [&](std::int32_t from, std::int32_t stride, std::int32_t window) {
    const std::int64_t whole =
        padding == Padding::kSame ? std::int64_t{from} * stride : std::int64_t{from - 1} * stride + window;
    check_shape(whole <= INT32_MAX, "the output would have the extent ", whole);
    return static_cast<std::int32_t>(whole);
  };
  const Tensor result =
      conv2d_transpose(x, filter,
                       {.output_shape = {x.dim(0), extent(x.dim(1), stride_h, filter.dim(0)),
                                         extent(x.dim(2), stride_w, filter.dim(1)), filter.dim(2)},
                        .stride_h = stride_h,
                        .stride_w = stride_w,
                        .padding = padding});
  return has(call, 2) ? add(result, call[2]) : result;
}

constexpr OpRow kRows[] = {
    {kCustom,
     {"Convolution2DTransposeBias", transposed_with_bias},
     {},
     Quantized::kReal,
     Filter::kOhwiToHwoi},
};

}  // namespace

std::span<const OpRow> custom_rows() { return kRows; }

}  // namespace tenure::tflite
