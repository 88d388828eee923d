#include <limits>

#include "ops/ops.h"
#include "ops/reference.h"

namespace tenure {
namespace {

using reference::noise;

TEST_CASE("Pixels are only read inside their image", "[warp]") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float inf = std::numeric_limits<float>::infinity();
  const Tensor image = noise({1, 3, 2, 2}, 1);
  for (const float x : {nan, inf, -inf, 1e30F, -1e30F, 2.5F, -0.25F}) {
    const Tensor boxes = Tensor::from({x, 0.0F, 1.0F, x, 0.0F, x, x, 1.0F}, {2, 4});
    for (const bool nearest : {false, true})
      CHECK(crop_and_resize(image, boxes, Tensor::from({0, -7}, {2}),
                            {.height = 3, .width = 1, .nearest = nearest})
                .shape() == Shape{2, 3, 1, 2});
    for (const FillMode mode :
         {FillMode::kConstant, FillMode::kReflect, FillMode::kWrap, FillMode::kNearest}) {
      for (const bool bilinear : {false, true}) {
        const Tensor how = Tensor::from({1.0F, x, 0.0F, 0.5F, 1.0F, x, x, 0.1F}, {1, 8});
        const Tensor out = transform(
            image, how, {.height = 4, .width = 3, .bilinear = bilinear, .fill_mode = mode, .fill = 7});
        CHECK(out.shape() == Shape{1, 4, 3, 2});
        CHECK(transform(noise({1, 0, 2, 1}, 1), how,
                        {.height = 1, .width = 1, .bilinear = bilinear, .fill_mode = mode})
                  .elements() == 1);
      }
    }
  }
  CHECK_THROWS_AS(transform(image, noise({2, 8}, 1), {.height = 1, .width = 1}), Error);
  CHECK_THROWS_AS(transform(image, noise({1, 8}, 1), {.height = -1, .width = 1}), Error);
  CHECK_THROWS_AS(crop_and_resize(image, noise({1, 4}, 1), Tensor::from({0}, {1}), {.height = 0}), Error);
}

}  // namespace
}  // namespace tenure
