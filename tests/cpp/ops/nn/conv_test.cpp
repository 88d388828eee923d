#include "shape_util/conv.h"
#include "cpu/conv/winograd.h"
#include "cpu/gemm/packed_kernels.h"
#include "ops/ops.h"
#include "ops/reference.h"

namespace tenure {
namespace {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::Message;
using Catch::Matchers::MessageMatches;
using Catch::Matchers::StartsWith;
using reference::error;
using reference::noise;

// Loops over the products of a convolution, with an index into each of its tensors.
struct ConvLoop {
  const ConvGeometry& g;
  int multiplier;  // depth multiplier of a depthwise convolution, else 0

  // Calls f(index in x, in the filter, in the output) for every product.
  template <class F>
  void each(F f) const {
    for (int n = 0; n < g.batch; ++n)
      for (int y = 0; y < g.h.out; ++y)
        for (int x = 0; x < g.w.out; ++x)
          for (int c = 0; c < g.out_channels; ++c)
            for (int ky = 0; ky < g.h.window; ++ky)
              for (int kx = 0; kx < g.w.window; ++kx) one_tap(f, n, y, x, c, ky, kx);
  }

  template <class F>
  void one_tap(F f, int n, int y, int x, int c, int ky, int kx) const {
    const int in_y = y * g.h.stride - g.h.pad_before + ky * g.h.dilation;
    const int in_x = x * g.w.stride - g.w.pad_before + kx * g.w.dilation;
    if (in_y < 0 || in_y >= g.h.in || in_x < 0 || in_x >= g.w.in) return;
    const int to = ((n * g.h.out + y) * g.w.out + x) * g.out_channels + c;
    const int pixel = ((n * g.h.in + in_y) * g.w.in + in_x) * g.in_channels;
    const int tap = ky * g.w.window + kx;
    if (multiplier > 0) return f(pixel + c / multiplier, tap * g.out_channels + c, to);
    const int depth = g.group_in();
    const int first = c / g.group_out() * depth;
    for (int i = 0; i < depth; ++i) f(pixel + first + i, (tap * depth + i) * g.out_channels + c, to);
  }
};

std::vector<double> naive(const ConvGeometry& g, const Tensor& x, const Tensor& filter, const Tensor& bias,
                          const ConvAttrs& attrs, int multiplier = 0) {
  std::vector<double> out(g.output().elements());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::size_t channel = i % static_cast<std::size_t>(g.out_channels);
    out[i] = bias ? static_cast<double>(bias.data<float>()[bias.elements() == 1 ? 0 : channel]) : 0.0;
  }
  ConvLoop{g, multiplier}.each([&](int from, int weight, int to) {
    out[static_cast<std::size_t>(to)] +=
        static_cast<double>(x.data<float>()[from]) * static_cast<double>(filter.data<float>()[weight]);
  });
  for (double& value : out) value = reference::activate(value, attrs.activation, attrs.alpha);
  return out;
}

void check_conv(const Shape& x_shape, const Shape& filter_shape, const ConvAttrs& attrs,
                bool biased = false) {
  const Tensor x = noise(x_shape, 1);
  const Tensor filter = noise(filter_shape, 2);
  const Tensor bias = biased ? noise({filter_shape[3]}, 3) : Tensor();
  INFO(text("x ", x_shape, " filter ", filter_shape, " stride ", attrs.stride_h, ",", attrs.stride_w,
            " dilation ", attrs.dilation_h, ",", attrs.dilation_w));
  const ConvGeometry g = conv2d_geometry(x_shape, filter_shape, attrs);
  const std::vector<double> expected = naive(g, x, filter, bias, attrs);
  Tensor out = conv2d(x, filter, bias, attrs);
  CHECK(out.shape() == g.output());
  // The rounding errors of Winograd tiles are relative to the largest sum.
  const double tolerance = cpu::winograd::choose_form(g, true) != cpu::winograd::Form::kNone ? 2e-4 : 5e-5;
  CHECK(error(out, expected) < tolerance);
  if (g.groups > 1 || out.elements() == 0) return;
  cpu::conv2d_packed({{&x, &filter, &bias}, AttrsView(attrs), out}, cpu::pack_conv2d(x, filter, attrs),
                     nullptr);
  CHECK(error(out, expected) < tolerance);
}

void check_depthwise(const Shape& x_shape, const Shape& filter_shape, const ConvAttrs& attrs,
                     bool biased = false) {
  const Tensor x = noise(x_shape, 1);
  const Tensor filter = noise(filter_shape, 2);
  const Tensor bias = biased ? noise({filter_shape[2] * filter_shape[3]}, 3) : Tensor();
  INFO(text("x ", x_shape, " filter ", filter_shape, " stride ", attrs.stride_h, ",", attrs.stride_w,
            " dilation ", attrs.dilation_h, ",", attrs.dilation_w));
  const ConvGeometry g = depthwise_conv2d_geometry(x_shape, filter_shape, attrs);
  CHECK(error(depthwise_conv2d(x, filter, bias, attrs), naive(g, x, filter, bias, attrs, filter_shape[3])) <
        5e-5);
}

void check_transpose(const Shape& filter_shape, const ConvTransposeAttrs& attrs) {
  const Shape out_shape(attrs.output_shape);
  const auto axis = [&](int i, int stride, int dilation, int before, int after) {
    return window_axis(out_shape[i], filter_shape[i - 1], stride, dilation, attrs.padding, before, after);
  };
  const ConvGeometry g = {out_shape[0],
                          filter_shape[2],
                          filter_shape[3],
                          1,
                          axis(1, attrs.stride_h, attrs.dilation_h, attrs.pad_top, attrs.pad_bottom),
                          axis(2, attrs.stride_w, attrs.dilation_w, attrs.pad_left, attrs.pad_right)};
  const Tensor x = noise(g.output(), 1);
  const Tensor filter = noise(filter_shape, 2);
  std::vector<double> expected(out_shape.elements());
  ConvLoop{g, 0}.each([&](int to, int weight, int from) {
    // The walk's filter index is that of [h,w,in,out], as in the transposed convolution.
    expected[static_cast<std::size_t>(to)] +=
        static_cast<double>(x.data<float>()[from]) * static_cast<double>(filter.data<float>()[weight]);
  });
  INFO(text("out ", out_shape, " filter ", filter_shape, " stride ", attrs.stride_h, ",", attrs.stride_w));
  CHECK(error(conv2d_transpose(x, filter, attrs), expected) < 5e-5);
}

TEST_CASE("conv2d agrees with plain sums", "[conv2d]") {
  const int size = GENERATE(1, 5, 8, 13);
  const int window = GENERATE(1, 2, 3, 5);
  const Padding padding = GENERATE(Padding::kSame, Padding::kValid);
  const int stride = GENERATE(1, 2, 3);
  if (padding == Padding::kValid && window > size) return;
  for (const auto& [in, out] : {std::pair{1, 1}, {3, 8}, {4, 5}, {17, 12}, {40, 33}}) {
    check_conv({2, size, size + 1, in}, {window, window, in, out},
               {.stride_h = stride, .stride_w = stride, .padding = padding}, out % 2 == 0);
  }
}

TEST_CASE("conv2d makes one channel of one in pictures of any width", "[conv2d]") {
  const int width = GENERATE(19, 20, 21, 70);
  const int window = GENERATE(1, 2, 3, 7);
  for (const Activation activation : {Activation::kLinear, Activation::kRelu6, Activation::kTanh}) {
    check_conv({2, 9, width, 1}, {window, window, 1, 1},
               {.stride_h = 2, .padding = Padding::kSame, .activation = activation}, window % 2 == 0);
  }
}

TEST_CASE("conv2d dilates", "[conv2d]") {
  const auto [dilation_h, dilation_w] = GENERATE(table<int, int>({{2, 2}, {1, 3}, {3, 1}, {6, 6}}));
  const Padding padding = GENERATE(Padding::kSame, Padding::kValid);
  const int channels = GENERATE(2, 20);
  check_conv({1, 14, 15, channels}, {3, 3, channels, 9},
             {.dilation_h = dilation_h, .dilation_w = dilation_w, .padding = padding});
}

TEST_CASE("conv2d takes explicit pads, however they round", "[conv2d]") {
  const Rounding rounding = GENERATE(Rounding::kFloor, Rounding::kRound, Rounding::kCeil);
  const int channels = GENERATE(3, 24);
  ConvAttrs attrs = {.stride_h = 2,
                     .stride_w = 3,
                     .padding = Padding::kExplicit,
                     .pad_top = 0,
                     .pad_bottom = 3,
                     .pad_left = 2,
                     .pad_right = 1,
                     .rounding = rounding};
  check_conv({1, 8, 9, channels}, {3, 2, channels, 10}, attrs, true);
  attrs.pad_left = attrs.pad_top = 7;
  check_conv({1, 8, 9, channels}, {3, 2, channels, 10}, attrs, true);
}

TEST_CASE("conv2d has windows that are not square", "[conv2d]") {
  const auto [h, w] = GENERATE(table<int, int>({{1, 7}, {7, 1}, {2, 5}, {1, 70}}));
  check_conv({1, 9, 75, 2}, {h, w, 2, 9}, {.padding = Padding::kSame});
  check_conv({1, 9, 75, 2}, {h, w, 2, 9}, {.stride_h = 2, .padding = Padding::kValid});
}

TEST_CASE("conv2d convolves groups apart", "[conv2d]") {
  const auto [in, depth, out] =
      GENERATE(table<int, int, int>({{4, 2, 6}, {6, 1, 12}, {9, 3, 9}, {32, 8, 48}}));
  check_conv({2, 6, 5, in}, {3, 3, depth, out}, {.padding = Padding::kSame}, true);
  check_conv({2, 6, 5, in}, {1, 1, depth, out}, {.stride_w = 2}, true);
}

TEST_CASE("conv2d applies every activation", "[conv2d]") {
  const int number = GENERATE(Catch::Generators::range(0, kActivationCount));
  check_conv({1, 6, 6, 5}, {3, 3, 5, 7},
             {.padding = Padding::kSame, .activation = static_cast<Activation>(number), .alpha = 0.2F}, true);
  check_depthwise({1, 6, 6, 5}, {3, 3, 5, 1},
                  {.padding = Padding::kSame, .activation = static_cast<Activation>(number), .alpha = 0.2F},
                  true);
}

TEST_CASE("convolutions repeat a scalar bias", "[conv2d]") {
  const Tensor x = noise({1, 3, 3, 6}, 1);
  const Tensor filter = noise({1, 1, 6, 6}, 2);
  const Tensor bias = Tensor::scalar(2.0F);
  const ConvGeometry g = conv2d_geometry(x.shape(), filter.shape(), {});
  CHECK(error(conv2d(x, filter, bias), naive(g, x, filter, bias, {})) < 5e-5);
  const ConvGeometry d = depthwise_conv2d_geometry(x.shape(), filter.shape(), {});
  CHECK(error(depthwise_conv2d(x, filter, bias), naive(d, x, filter, bias, {}, 6)) < 5e-5);
}

TEST_CASE("conv2d reaches through several slices of the depth", "[conv2d]") {
  check_conv({1, 9, 9, 300}, {3, 3, 300, 20}, {.padding = Padding::kSame}, true);
  check_conv({1, 3, 3, 1100}, {1, 1, 1100, 20}, {}, true);
  check_conv({1, 5, 5, 1100}, {2, 1, 1100, 20}, {.activation = Activation::kRelu6}, true);
}

TEST_CASE("depthwiseConv2d agrees with plain sums", "[depthwise_conv2d]") {
  const int channels = GENERATE(1, 3, 4, 6, 8, 21);
  const int multiplier = GENERATE(1, 2, 3, 4);
  const int window = GENERATE(1, 2, 3, 5);
  const Padding padding = GENERATE(Padding::kSame, Padding::kValid);
  for (const int stride : {1, 2, 3}) {
    check_depthwise({2, 9, 12, channels}, {window, window, channels, multiplier},
                    {.stride_h = stride, .stride_w = stride, .padding = padding}, stride == 2);
  }
  check_depthwise({1, 12, 13, channels}, {window, 3, channels, multiplier},
                  {.dilation_h = 2, .dilation_w = 3, .padding = padding});
}

TEST_CASE("depthwiseConv2d takes pads wider than its window", "[depthwise_conv2d]") {
  check_depthwise(
      {1, 3, 3, 5}, {2, 3, 5, 1},
      {.padding = Padding::kExplicit, .pad_top = 4, .pad_bottom = 5, .pad_left = 6, .pad_right = 7}, true);
}

TEST_CASE("depthwiseConv2d has windows of any shape", "[depthwise_conv2d]") {
  const auto [h, w] = GENERATE(table<int, int>({{9, 3}, {1, 5}, {7, 3}, {3, 7}}));
  const int width = GENERATE(3, 4, 5, 7, 16);
  const int stride = GENERATE(1, 2);
  check_depthwise({1, 10, width, 6}, {h, w, 6, 1},
                  {.stride_h = stride, .stride_w = stride, .padding = Padding::kSame}, true);
}

TEST_CASE("depthwiseConv2d takes pixels of few channels in groups", "[depthwise_conv2d]") {
  const int width = GENERATE(15, 16, 17, 31, 32, 50);
  const auto [channels, multiplier] = GENERATE(table<int, int>({{1, 1}, {3, 1}, {2, 4}, {15, 1}, {16, 1}}));
  const int window = GENERATE(1, 2, 4, 7);
  const auto activation = GENERATE(Activation::kLinear, Activation::kRelu6);
  check_depthwise({2, 6, width, channels}, {3, window, channels, multiplier},
                  {.padding = Padding::kSame, .activation = activation}, window % 2 == 0);
  check_depthwise({1, 6, width, channels}, {2, window, channels, multiplier},
                  {.dilation_w = 2, .padding = Padding::kValid, .activation = activation}, window % 2 == 1);
}

TEST_CASE("depthwiseConv2d goes along rows of any width and pads", "[depthwise_conv2d]") {
  const auto [width, channels] = GENERATE(table<int, int>({{4, 5}, {6, 8}, {33, 64}, {70, 61}, {9, 65}}));
  const int left = GENERATE(0, 1, 2);
  const int right = GENERATE(0, 1, 2);
  const auto activation = GENERATE(Activation::kLinear, Activation::kRelu6);
  const bool spread = channels < 10;
  check_depthwise({2, 5, width, channels}, {3, 3, channels, spread ? 2 : 1},
                  {.padding = Padding::kExplicit,
                   .pad_top = 1,
                   .pad_bottom = 0,
                   .pad_left = left,
                   .pad_right = right,
                   .activation = activation},
                  left == 1);
}

TEST_CASE("conv2dTranspose is conv2d run backwards", "[conv2d_transpose]") {
  const int window = GENERATE(1, 2, 3, 4);
  const int stride = GENERATE(1, 2, 3, 5);
  const Padding padding = GENERATE(Padding::kSame, Padding::kValid);
  for (const auto& [out, in] : {std::pair{1, 1}, {5, 3}, {8, 16}, {19, 33}}) {
    check_transpose({window, window + 1, out, in}, {.output_shape = {2, 11, 8, out},
                                                    .stride_h = stride,
                                                    .stride_w = stride == 5 ? 1 : stride,
                                                    .padding = padding});
  }
}

TEST_CASE("conv2dTranspose takes pads and dilations", "[conv2d_transpose]") {
  check_transpose({3, 2, 5, 6}, {.output_shape = {1, 11, 9, 5},
                                 .stride_h = 2,
                                 .padding = Padding::kExplicit,
                                 .pad_top = 1,
                                 .pad_bottom = 2,
                                 .pad_left = 1,
                                 .pad_right = 0});
  check_transpose({3, 2, 5, 6}, {.output_shape = {1, 11, 9, 5},
                                 .stride_h = 2,
                                 .stride_w = 3,
                                 .dilation_h = 3,
                                 .dilation_w = 2,
                                 .padding = Padding::kSame});
}

TEST_CASE("convolutions of empty tensors are empty, or the bias", "[conv2d]") {
  check_conv({0, 4, 4, 3}, {3, 3, 3, 2}, {});
  check_conv({2, 4, 4, 0}, {3, 3, 0, 2}, {}, true);
  check_conv({2, 4, 4, 3}, {3, 3, 3, 0}, {});
  check_conv({2, 0, 4, 3}, {3, 3, 3, 2}, {.padding = Padding::kSame});
  check_conv({1, 2, 2, 3}, {3, 3, 3, 2}, {});
  check_depthwise({2, 4, 4, 0}, {3, 3, 0, 2}, {});
  check_depthwise({2, 4, 4, 3}, {3, 3, 3, 0}, {});
  check_transpose({3, 3, 2, 0}, {.output_shape = {2, 4, 4, 2}});
  check_transpose({3, 3, 0, 2}, {.output_shape = {2, 4, 4, 0}});
  check_transpose({3, 3, 3, 2}, {.output_shape = {0, 4, 4, 3}});
}

TEST_CASE("convolutions say what does not fit", "[conv2d]") {
  const Tensor x = noise({1, 4, 4, 3}, 1);
  const Tensor flat = noise({4, 4}, 1);
  const Tensor filter = noise({3, 3, 2, 4}, 2);
  CHECK_THROWS_MATCHES(conv2d(flat, filter), Error,
                       Message("[conv2d] Error in conv2d: input must be rank 4, but got rank 2."));
  CHECK_THROWS_MATCHES(conv2d(x, flat), Error,
                       Message("[conv2d] Error in conv2d: filter must be rank 4, but got rank 2."));
  CHECK_THROWS_MATCHES(
      conv2d(x, filter), Error,
      Message("[conv2d] Error in conv2d: depth of input (3) must match input depth for filter 2."));
  CHECK_THROWS_MATCHES(depthwise_conv2d(x, filter), Error,
                       Message("[depthwiseConv2d] Error in depthwiseConv2d: number of input channels (3) "
                               "must match the inChannels dimension in filter 2."));
  const Tensor fitting = noise({3, 3, 3, 4}, 2);
  const ConvAttrs both = {.stride_h = 2, .stride_w = 2, .dilation_h = 2, .dilation_w = 2};
  CHECK_THROWS_MATCHES(conv2d(x, fitting, both), Error,
                       Message("[conv2d] Error in conv2D: Either strides or dilations must be 1. Got strides "
                               "2,2 and dilations '2,2'"));
  CHECK_THROWS_MATCHES(conv2d(x, fitting, {.stride_h = 0}), Error,
                       Message("[conv2d] strides must be positive, got 0"));
  CHECK_THROWS_MATCHES(conv2d(x, fitting, {.dilation_w = -1}), Error,
                       Message("[conv2d] dilations must be positive, got -1"));
  CHECK_THROWS_MATCHES(conv2d(x, fitting, {.dilation_h = 3}), Error,
                       MessageMatches(StartsWith(
                           "[conv2d] a window of size 3 with dilation 3 does not fit an input of size 4")));
  CHECK_THROWS_AS(conv2d(x, fitting, {.padding = Padding::kExplicit, .pad_left = -1}), Error);
  CHECK_THROWS_AS(
      conv2d(x, fitting, {.padding = Padding::kExplicit, .pad_top = 2147483647, .pad_bottom = 2147483647}),
      Error);
  CHECK_THROWS_AS(conv2d(x, fitting, {.dilation_h = 2147483647}), Error);
  const Tensor bias = noise({3}, 3);
  CHECK_THROWS_MATCHES(conv2d(x, fitting, bias), Error,
                       Message("[conv2d] Error in fused conv2d: bias shape ([3]) is not compatible with the "
                               "number of output channels (4)"));
  const Tensor ints = Tensor::from({1}, {1, 1, 1, 1});
  CHECK_THROWS_MATCHES(
      conv2d(ints, fitting), Error,
      Message("[conv2d] Argument 'x' passed to 'conv2d' must be float32 tensor, but got int32 tensor"));
}

TEST_CASE("separableConv2d counts the channels of empty filters", "[conv2d]") {
  const Tensor x = Tensor::from(std::span<const float>{}, {0, 5, 5, 65536});
  const Tensor depthwise = Tensor::from(std::span<const float>{}, {0, 3, 65536, 65536});
  CHECK_THROWS_MATCHES(separable_conv2d(x, depthwise, noise({1, 1, 4, 2}, 1)), Error,
                       MessageMatches(ContainsSubstring(
                           "the third dimension of pointwise filter must be 4294967296, but got 4.")));
}

TEST_CASE("conv2dTranspose says what does not fit", "[conv2d_transpose]") {
  const Tensor x = noise({1, 4, 4, 3}, 1);
  const Tensor filter = noise({3, 3, 2, 3}, 2);
  const auto run = [&](const Dims& shape) { conv2d_transpose(x, filter, {.output_shape = shape}); };
  CHECK_NOTHROW(run({1, 6, 6, 2}));
  CHECK_THROWS_MATCHES(run({6, 6, 2}), Error,
                       MessageMatches(StartsWith(
                           "[conv2dTranspose] Error in conv2dTranspose: output shape must be length 4")));
  CHECK_THROWS_MATCHES(run({1, 7, 6, 2}), Error,
                       Message("[conv2dTranspose] Error in conv2dTranspose: an output of shape [1,7,6,2] "
                               "needs an input of shape [1,5,4,3], but got [1,4,4,3]."));
  CHECK_THROWS_AS(run({1, 6, 6, 3}), Error);
  CHECK_THROWS_AS(run({2, 6, 6, 2}), Error);
  CHECK_THROWS_AS(run({1, -6, 6, 2}), Error);
}

}  // namespace
}  // namespace tenure
