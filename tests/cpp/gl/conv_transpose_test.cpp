#include "gl/fixture.h"

namespace tenure::gl {

TEST_CASE("Convolutions run backwards on the GPU", "[gl][conv2d_transpose]") {
  const GlFixture gl;
  const int window = GENERATE(1, 2, 3, 4, 5);
  const int stride = GENERATE(1, 2, 3);
  const int dilation = GENERATE(1, 2);
  const auto [in, out] = GENERATE(table<int, int>({{1, 1}, {3, 5}, {8, 3}, {8, 12}}));
  const Padding padding = GENERATE(Padding::kSame, Padding::kValid);
  if (stride > 1 && dilation > 1) return;
  const int reach = (window - 1) * dilation + 1;
  const auto size = [&](int from) {
    return padding == Padding::kSame ? from * stride : (from - 1) * stride + reach;
  };
  const ConvTransposeAttrs attrs = {.output_shape = {2, size(5), size(4), out},
                                    .stride_h = stride,
                                    .stride_w = stride,
                                    .dilation_h = dilation,
                                    .dilation_w = dilation,
                                    .padding = padding};
  expect_gl_equals_cpu(Op::conv2d_transpose,
                       {some_values({2, 5, 4, in}), some_values({window, window, out, in})}, AttrsView(attrs),
                       1e-4);
}

TEST_CASE("Large images are convolved backwards on the GPU", "[gl][conv2d_transpose]") {
  const GlFixture gl;
  const int window = GENERATE(1, 2, 3, 4, 5);
  const int stride = GENERATE(1, 2, 3);
  const auto [in, out] = GENERATE(table<int, int>({{32, 24}, {31, 20}, {32, 18}}));
  for (const Padding padding : {Padding::kSame, Padding::kValid}) {
    const auto size = [&](int from) {
      return padding == Padding::kSame ? from * stride - stride / 2 : (from - 1) * stride + window;
    };
    const ConvTransposeAttrs attrs = {.output_shape = {2, size(12), size(15), out},
                                      .stride_h = stride,
                                      .stride_w = stride,
                                      .padding = padding};
    expect_gl_equals_cpu(Op::conv2d_transpose,
                         {some_values({2, 12, 15, in}), some_values({window, window, out, in})},
                         AttrsView(attrs), 5e-4);
  }
}

TEST_CASE("Convolutions run backwards take explicit pads on the GPU", "[gl][conv2d_transpose]") {
  const GlFixture gl;
  const auto [top, left] = GENERATE(table<int, int>({{0, 1}, {2, 0}, {4, 3}, {7, 5}}));
  const ConvTransposeAttrs attrs = {.output_shape = {1, 30 - top - 1, 34 - left - 2, 16},
                                    .stride_h = 2,
                                    .stride_w = 3,
                                    .padding = Padding::kExplicit,
                                    .pad_top = top,
                                    .pad_bottom = 1,
                                    .pad_left = left,
                                    .pad_right = 2};
  const Shape x = {1, (30 - 4) / 2 + 1, (34 - 4) / 3 + 1, 32};
  expect_gl_equals_cpu(Op::conv2d_transpose, {some_values(x), some_values({4, 4, 16, 32})}, AttrsView(attrs),
                       1e-4);
}

}  // namespace tenure::gl
