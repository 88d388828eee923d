#include "gl/fixture.h"

namespace tenure::gl {
namespace {

ResizeAttrs generated_attrs() {
  ResizeAttrs attrs;
  attrs.height = GENERATE(1, 5, 7, 14, 20);
  attrs.width = GENERATE(1, 4, 9, 16);
  const int mode = GENERATE(0, 1, 2);
  attrs.align_corners = mode == 1;
  attrs.half_pixel_centers = mode == 2;
  return attrs;
}

}  // namespace

TEST_CASE("Bilinear resizing on the GPU is that of the CPU", "[gl][resize]") {
  const GlFixture gl;
  const ResizeAttrs attrs = generated_attrs();
  for (const std::int32_t channels : {1, 3, 4}) {
    expect_gl_equals_cpu(Op::resize_bilinear, {some_values({2, 7, 5, channels})}, AttrsView(attrs));
  }
  expect_gl_equals_cpu(Op::resize_bilinear, {some_values({2, 7, 5, 4}, DType::kInt32)}, AttrsView(attrs));
}

TEST_CASE("Resizing to the nearest on the GPU is that of the CPU", "[gl][resize]") {
  const GlFixture gl;
  const ResizeAttrs attrs = generated_attrs();
  for (const std::int32_t channels : {1, 3, 4}) {
    expect_gl_equals_cpu(Op::resize_nearest_neighbor, {some_values({2, 7, 5, channels})}, AttrsView(attrs));
  }
  expect_gl_equals_cpu(Op::resize_nearest_neighbor, {some_values({2, 7, 5, 3}, DType::kInt32)},
                       AttrsView(attrs));
}

TEST_CASE("A large picture is resized on the GPU as on the CPU", "[gl][resize]") {
  const GlFixture gl;
  const bool half_pixels = GENERATE(false, true);
  const ResizeAttrs attrs{.height = 224, .width = 224, .half_pixel_centers = half_pixels};
  expect_gl_equals_cpu(Op::resize_bilinear, {some_values({1, 480, 641, 3})}, AttrsView(attrs));
  expect_gl_equals_cpu(Op::resize_nearest_neighbor, {some_values({1, 480, 641, 3})}, AttrsView(attrs));
}

}  // namespace tenure::gl
