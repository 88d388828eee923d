#include <cmath>
#include <limits>

#include "core/run/dispatch.h"
#include "gl/fixture.h"

namespace tenure::gl {
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
    const Tensor x = random_values(shape);
    const Tensor there = on_device(x);
    const Tensor got = run(op, {&there}, AttrsView(attrs));
    INFO("op " << op_def(op).name);
    expect_equal(got, reference(op, {x}, AttrsView(attrs)), 0);
  }
}

TEST_CASE("A neighbour of no weight is not read, on the GPU either", "[gl][resize]") {
  const GlFixture gl;
  Tensor x = random_values({1, 4, 4, 1});
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
