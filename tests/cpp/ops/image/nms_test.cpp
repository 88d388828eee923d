#include <limits>

#include "ops/ops.h"
#include "ops/reference.h"

namespace tenure {
namespace {

using reference::noise;

TEST_CASE("Boxes that are kept", "[suppression]") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Tensor boxes =
      Tensor::from({0.0F, 0.0F, 1.0F, 1.0F, 1.0F, 1.0F, 0.0F, 0.1F, nan, 0.0F, 1.0F, 1.0F}, {3, 4});
  const Tensor scores = Tensor::from({0.5F, 0.75F, nan}, {3});
  const Tensors kept = non_max_suppression(boxes, scores, {.max_output_size = 9, .pads = true});
  CHECK(kept[0].shape() == Shape{3});
  CHECK(kept[2].data<std::int32_t>()[0] == 1);
  CHECK(kept[0].data<std::int32_t>()[0] == 1);
  const Tensors soft =
      non_max_suppression(boxes, scores, {.max_output_size = 9, .iou_threshold = 1, .soft_sigma = 0.5F});
  CHECK(soft[0].shape() == Shape{2});
  CHECK(soft[1].data<float>()[1] < 0.5F);
  CHECK(non_max_suppression(boxes, scores, {.max_output_size = -4})[0].shape() == Shape{0});
  CHECK(non_max_suppression(noise({0, 4}, 1), noise({0}, 1), {.max_output_size = 4})[0].shape() == Shape{0});
  CHECK_THROWS_AS(non_max_suppression(boxes, scores, {.max_output_size = 1, .iou_threshold = nan}), Error);
  CHECK_THROWS_AS(non_max_suppression(noise({3, 3}, 1), scores, {.max_output_size = 1}), Error);
  CHECK_THROWS_AS(non_max_suppression(boxes, noise({2}, 1), {.max_output_size = 1}), Error);
}

}  // namespace
}  // namespace tenure
