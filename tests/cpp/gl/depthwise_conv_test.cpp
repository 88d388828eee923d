#include "gl/fixture.h"

namespace tenure::gl {
namespace {

void check_depthwise(const Shape& x, const Shape& filter, const ConvAttrs& attrs, bool biased = true) {
  std::vector<Tensor> inputs = {some_values(x), some_values(filter)};
  if (biased) inputs.push_back(some_values({filter[2] * filter[3]}));
  INFO(text("strides ", attrs.stride_h, attrs.stride_w, " dilations ", attrs.dilation_h, attrs.dilation_w));
  expect_gl_equals_cpu(Op::depthwise_conv2d, inputs, AttrsView(attrs), 1e-5);
}

}  // namespace

TEST_CASE("Channels are convolved apart on the GPU", "[gl][depthwise_conv2d]") {
  const GlFixture gl;
  const int channels = GENERATE(1, 3, 4, 8, 20);
  const int multiplier = GENERATE(1, 2, 3, 4);
  const int window = GENERATE(1, 2, 3, 5);
  const Padding padding = GENERATE(Padding::kSame, Padding::kValid);
  for (const int stride : {1, 2, 3}) {
    check_depthwise({2, 9, 14, channels}, {window, window, channels, multiplier},
                    {.stride_h = stride, .stride_w = stride, .padding = padding}, stride != 2);
  }
  check_depthwise({1, 12, 13, channels}, {window, 3, channels, multiplier},
                  {.dilation_h = 2, .dilation_w = 3, .padding = padding});
}

TEST_CASE("Depthwise convolutions take explicit pads on the GPU", "[gl][depthwise_conv2d]") {
  const GlFixture gl;
  const int channels = GENERATE(3, 8);
  check_depthwise({1, 6, 7, channels}, {3, 3, channels, 1},
                  {.stride_w = 2,
                   .padding = Padding::kExplicit,
                   .pad_top = 5,
                   .pad_bottom = 0,
                   .pad_left = 4,
                   .pad_right = 6});
}

TEST_CASE("Depthwise convolutions apply activations on the GPU", "[gl][depthwise_conv2d]") {
  const GlFixture gl;
  const auto activation = static_cast<Activation>(GENERATE(range(0, kActivationCount)));
  const int channels = GENERATE(5, 8);
  check_depthwise({1, 6, 6, channels}, {3, 3, channels, 1},
                  {.padding = Padding::kSame, .activation = activation, .alpha = 0.2F});
}

TEST_CASE("Large images are convolved by channel on the GPU", "[gl][depthwise_conv2d]") {
  const GlFixture gl;
  const int window = GENERATE(1, 2, 3, 4, 5, 6);
  const int stride = GENERATE(1, 2, 3);
  const Padding padding = GENERATE(Padding::kSame, Padding::kValid);
  check_depthwise({2, 31, 33, 32}, {3, window, 32, 1},
                  {.stride_h = 1, .stride_w = stride, .padding = padding}, stride != 2);
  check_depthwise({2, 31, 33, 32}, {window, 3, 32, 1},
                  {.dilation_h = stride, .padding = padding, .activation = Activation::kRelu6});
  check_depthwise({2, 31, 33, 32}, {2, window, 32, 1}, {.dilation_w = stride + 1, .padding = padding});
}

}  // namespace tenure::gl
