#include <limits>

#include "gl/fixture.h"

namespace tenure::gl {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

}  // namespace

TEST_CASE("Pools on the GPU are those of the CPU", "[gl][pooling]") {
  const GlFixture gl;
  const std::int32_t channels = GENERATE(1, 3, 4, 8);
  const Padding padding = GENERATE(Padding::kValid, Padding::kSame);
  const std::int32_t stride = GENERATE(1, 2, 3);
  const PoolAttrs attrs{
      .window_h = 3, .window_w = 2, .stride_h = stride, .stride_w = stride, .padding = padding};
  const Shape shape{2, 9, 7, channels};
  expect_gl_equals_cpu(Op::max_pool, {some_values(shape)}, AttrsView(attrs));
  expect_gl_equals_cpu(Op::avg_pool, {some_values(shape)}, AttrsView(attrs));
  expect_gl_equals_cpu(Op::max_pool, {some_values(shape, DType::kInt32)}, AttrsView(attrs));
}

TEST_CASE("Pools on the GPU dilate their windows", "[gl][pooling]") {
  const GlFixture gl;
  const std::int32_t channels = GENERATE(2, 4);
  const PoolAttrs attrs{
      .window_h = 3, .window_w = 3, .dilation_h = 2, .dilation_w = 3, .padding = Padding::kSame};
  expect_gl_equals_cpu(Op::max_pool, {some_values({2, 10, 11, channels})}, AttrsView(attrs));
  expect_gl_equals_cpu(Op::avg_pool, {some_values({2, 10, 11, channels})}, AttrsView(attrs));
}

TEST_CASE("A window in the padding alone is empty on the GPU too", "[gl][pooling]") {
  const GlFixture gl;
  const std::int32_t channels = GENERATE(3, 4);
  const PoolAttrs attrs{.window_h = 2,
                        .window_w = 2,
                        .stride_h = 2,
                        .stride_w = 2,
                        .padding = Padding::kExplicit,
                        .pad_top = 2,
                        .pad_bottom = 3,
                        .pad_left = 3,
                        .pad_right = 2};
  const Shape shape{1, 5, 4, channels};
  expect_gl_equals_cpu(Op::max_pool, {some_values(shape)}, AttrsView(attrs));
  expect_gl_equals_cpu(Op::max_pool, {some_values(shape, DType::kInt32)}, AttrsView(attrs));
  expect_gl_equals_cpu(Op::avg_pool, {some_values(shape)}, AttrsView(attrs));
}

TEST_CASE("A maximum on the GPU passes over NaN", "[gl][pooling]") {
  const GlFixture gl;
  const PoolAttrs attrs{.window_h = 2, .window_w = 2, .stride_h = 2, .stride_w = 2};
  const Tensor x =
      Tensor::from({kNan, 1.0F, 2.0F, kNan, 3.0F, kNan, 4.0F, -5.0F, kNan, kNan, kNan, kNan}, {3, 2, 2, 1});
  expect_gl_equals_cpu(Op::max_pool, {x}, AttrsView(attrs));
  expect_gl_equals_cpu(Op::avg_pool, {x}, AttrsView(attrs));
}

}  // namespace tenure::gl
