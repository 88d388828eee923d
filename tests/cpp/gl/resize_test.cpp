#include <cmath>
#include <limits>

#include "core/dispatch.h"
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

TEST_CASE("The largest positions that a shader's int holds are computed on the GPU", "[gl][resize]") {
  const GlFixture gl;
  ResizeAttrs attrs{.height = 1, .width = 32749};
  const int mode = GENERATE(0, 1, 2);
  attrs.align_corners = mode == 1;
  attrs.half_pixel_centers = mode == 2;
  for (const Op op : {Op::resize_bilinear, Op::resize_nearest_neighbor}) {
    expect_gl_equals_cpu(op, {some_values({1, 1, 32767, 1})}, AttrsView(attrs));
  }
}

TEST_CASE("Positions that a shader's int cannot hold are those of the CPU too", "[gl][resize]") {
  const GlFixture gl;
  ResizeAttrs attrs{.height = 1, .width = 45000};
  const int mode = GENERATE(0, 1, 2);
  attrs.align_corners = mode == 1;
  attrs.half_pixel_centers = mode == 2;
  const bool upright = GENERATE(false, true);
  if (upright) std::swap(attrs.height, attrs.width);
  const Shape shape = upright ? Shape{1, 50000, 1, 1} : Shape{1, 1, 50000, 1};
  for (const Op op : {Op::resize_bilinear, Op::resize_nearest_neighbor}) {
    const Tensor x = some_values(shape);
    const Tensor there = on_device(x);
    const Tensor got = run(op, {&there}, AttrsView(attrs));
    INFO("op " << op_def(op).name);
    expect_equal(got, reference(op, {x}, AttrsView(attrs)), 0);
  }
}

TEST_CASE("A neighbour of no weight is not read, on the GPU either", "[gl][resize]") {
  const GlFixture gl;
  Tensor x = some_values({1, 4, 4, 1});
  x.mutable_data<float>()[5] = std::numeric_limits<float>::quiet_NaN();
  const ResizeAttrs attrs{.height = 8, .width = 8};
  const Tensor there = on_device(x);
  const Tensor got = run(Op::resize_bilinear, {&there}, AttrsView(attrs));
  CHECK_FALSE(std::isnan(got.data<float>()[0]));
  CHECK_FALSE(std::isnan(got.data<float>()[1 * 8 + 0]));
  CHECK_FALSE(std::isnan(got.data<float>()[0 * 8 + 2]));
  CHECK(std::isnan(got.data<float>()[2 * 8 + 2]));
}

}  // namespace tenure::gl
