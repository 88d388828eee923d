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
  const ConvTransposeAttrs attrs = {
      .output_shape = {1, 32, 30, 24}, .stride_h = 2, .stride_w = 2, .padding = Padding::kSame};
  expect_gl_equals_cpu(Op::conv2d_transpose, {some_values({1, 16, 15, 32}), some_values({4, 4, 24, 32})},
                       AttrsView(attrs), 1e-4);
}

}  // namespace tenure::gl
