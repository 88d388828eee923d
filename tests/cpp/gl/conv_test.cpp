#include "core/dispatch.h"
#include "gl/fixture.h"

namespace tenure::gl {
namespace {

// Sums of products differ by their order.
constexpr double kTolerance = 1e-4;

void check_conv(const Shape& x, const Shape& filter, const ConvAttrs& attrs, bool biased = true,
                double tolerance = kTolerance) {
  std::vector<Tensor> inputs = {some_values(x), some_values(filter)};
  if (biased) inputs.push_back(some_values({filter.back()}));
  INFO(text("strides ", attrs.stride_h, attrs.stride_w, " dilations ", attrs.dilation_h, attrs.dilation_w));
  expect_gl_equals_cpu(Op::conv2d, inputs, AttrsView(attrs), tolerance);
}

}  // namespace

TEST_CASE("Images are convolved on the GPU", "[gl][conv2d]") {
  const GlFixture gl;
  const int window = GENERATE(1, 2, 3, 5);
  const int stride = GENERATE(1, 2, 3);
  const Padding padding = GENERATE(Padding::kSame, Padding::kValid);
  const auto [in, out] = GENERATE(table<int, int>({{1, 1}, {3, 8}, {4, 5}, {8, 8}, {12, 20}, {17, 12}}));
  check_conv({2, 9, 11, in}, {window, window, in, out},
             {.stride_h = stride, .stride_w = stride, .padding = padding}, stride != 2);
}

TEST_CASE("Convolutions dilate on the GPU", "[gl][conv2d]") {
  const GlFixture gl;
  const Padding padding = GENERATE(Padding::kSame, Padding::kValid);
  const int channels = GENERATE(2, 20);
  check_conv({1, 14, 15, channels}, {3, 3, channels, 12},
             {.dilation_h = 2, .dilation_w = 3, .padding = padding});
}

TEST_CASE("Convolutions take explicit pads on the GPU", "[gl][conv2d]") {
  const GlFixture gl;
  const Rounding rounding = GENERATE(Rounding::kFloor, Rounding::kCeil);
  const int channels = GENERATE(3, 24);
  ConvAttrs attrs = {.stride_h = 2,
                     .stride_w = 3,
                     .padding = Padding::kExplicit,
                     .pad_top = 0,
                     .pad_bottom = 3,
                     .pad_left = 2,
                     .pad_right = 1,
                     .rounding = rounding};
  check_conv({1, 8, 9, channels}, {3, 2, channels, 10}, attrs);
  attrs.pad_left = attrs.pad_top = 7;
  check_conv({1, 8, 9, channels}, {3, 2, channels, 12}, attrs);
  // A window of one pixel may hang over the edge too.
  attrs.stride_h = attrs.stride_w = 1;
  check_conv({1, 8, 9, channels}, {1, 1, channels, 8}, attrs);
}

TEST_CASE("Convolutions of groups stay apart on the GPU", "[gl][conv2d]") {
  const GlFixture gl;
  const auto [in, depth, out] =
      GENERATE(table<int, int, int>({{4, 2, 6}, {6, 1, 12}, {9, 3, 9}, {32, 8, 48}}));
  check_conv({2, 6, 5, in}, {3, 3, depth, out}, {.padding = Padding::kSame});
  check_conv({2, 6, 5, in}, {1, 1, depth, out}, {.stride_w = 2});
}

TEST_CASE("Images on the CPU are convolved on the GPU", "[gl][conv2d]") {
  const GlFixture gl;
  const auto [channels, window] = GENERATE(table<int, int>({{1, 3}, {3, 3}, {5, 3}, {9, 1}, {3, 7}}));
  const int stride = GENERATE(1, 3);
  const ConvAttrs attrs = {.stride_h = stride, .stride_w = stride, .padding = Padding::kSame};
  const Tensor x = some_values({2, 13, 12, channels});
  const Tensor filter = on_device(some_values({window, window, channels, 36}));
  const Tensor got = run(Op::conv2d, {&x, &filter}, AttrsView(attrs));
  CHECK(got.storage()->only_on_device());
  expect_equal(got, reference(Op::conv2d, {x, on_cpu(filter)}, AttrsView(attrs)), kTolerance);
}

TEST_CASE("Convolutions apply activations on the GPU", "[gl][conv2d]") {
  const GlFixture gl;
  const auto activation = static_cast<Activation>(GENERATE(range(0, kActivationCount)));
  const int out = GENERATE(7, 8);
  check_conv({1, 6, 6, 8}, {3, 3, 8, out},
             {.padding = Padding::kSame, .activation = activation, .alpha = 0.2F});
}

TEST_CASE("Convolutions repeat a scalar bias on the GPU", "[gl][conv2d]") {
  const GlFixture gl;
  const int out = GENERATE(7, 8);
  expect_gl_equals_cpu(Op::conv2d,
                       {some_values({1, 5, 5, 4}), some_values({1, 1, 4, out}), Tensor::scalar(2.0F)},
                       AttrsView(ConvAttrs{}), kTolerance);
}

TEST_CASE("Large images are convolved on the GPU", "[gl][conv2d]") {
  const GlFixture gl;
  check_conv({1, 65, 67, 3}, {3, 3, 3, 32}, {.stride_h = 2, .stride_w = 2, .padding = Padding::kSame});
  // On the CPU in Winograd's tiles, which round what is as large as the largest sum.
  check_conv({2, 28, 28, 64}, {3, 3, 64, 40}, {.padding = Padding::kSame, .activation = Activation::kRelu},
             true, 5e-4);
  check_conv({1, 28, 28, 128}, {1, 1, 128, 64}, {.activation = Activation::kRelu6});
  check_conv({1, 28, 28, 36}, {1, 1, 36, 22}, {});
}

}  // namespace tenure::gl
