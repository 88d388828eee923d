#include "catch.h"
#include "ops/ops.h"

namespace tenure {
using Catch::Matchers::Message;

TEST_CASE("Resizing int32 keeps it for the nearest neighbour and gives float32 between neighbours",
          "[resize]") {
  const Tensor x = Tensor::from({2000000001, 4}, {1, 1, 2, 1});
  const Tensor nearest = resize_nearest_neighbor(x, {.height = 1, .width = 4});
  REQUIRE(nearest.dtype() == DType::kInt32);
  CHECK(nearest.data<std::int32_t>()[1] == 2000000001);
  CHECK(nearest.data<std::int32_t>()[2] == 4);
  const Tensor small = Tensor::from({2, 4}, {1, 1, 2, 1});
  const Tensor between = resize_bilinear(small, {.height = 1, .width = 4});
  REQUIRE(between.dtype() == DType::kFloat32);
  CHECK(between.data<float>()[1] == 3);
}

TEST_CASE("Resizing rejects what it cannot resize", "[resize]") {
  const Tensor x({{1, 2, 2, 1}, DType::kFloat32});
  const Tensor flat({{2, 2}, DType::kFloat32});
  const Tensor bools({{1, 2, 2, 1}, DType::kBool});
  const Tensor empty({{1, 0, 2, 1}, DType::kFloat32});
  CHECK_THROWS_MATCHES(resize_bilinear(flat), Error,
                       Message("[resizeBilinear] x must be rank 3 or 4, but got rank 2, shape [2,2]"));
  CHECK_THROWS_MATCHES(
      resize_nearest_neighbor(bools), Error,
      Message("[resizeNearestNeighbor] `images` must have `int32` or `float32` as dtype, got bool"));
  CHECK_THROWS_MATCHES(resize_bilinear(x, {.height = 0}), Error,
                       Message("[resizeBilinear] expected a new size of 1 or more, got [0,1]"));
  CHECK_THROWS_MATCHES(resize_bilinear(x, {.align_corners = true, .half_pixel_centers = true}), Error,
                       Message("[resizeBilinear] If halfPixelCenters is true, alignCorners must be false."));
  CHECK_THROWS_MATCHES(resize_bilinear(empty), Error,
                       Message("[resizeBilinear] cannot resize images without pixels, of shape [1,0,2,1]"));
}

}  // namespace tenure
