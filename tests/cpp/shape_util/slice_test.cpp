#include "shape_util/slice.h"

#include "catch.h"
#include "core/error.h"

namespace tenure {
namespace {

TEST_CASE("A slice's short lists mean the whole rest", "[shape_util]") {
  const Slicing slicing = get_slice_bounds({4, 5, 6}, SliceAttrs{.begin = {1, 2}, .size = {-1, 3}});
  CHECK(slicing.begin == Dims{1, 2, 0});
  CHECK(slicing.stride == Dims{1, 1, 1});
  CHECK(slicing.count == Dims{3, 3, 6});
  CHECK(slicing.shape == Shape{3, 3, 6});
}

TEST_CASE("A slice that leaves the input is refused", "[shape_util]") {
  CHECK_THROWS_AS(get_slice_bounds({}, SliceAttrs{}), Error);
  CHECK_THROWS_AS(get_slice_bounds({4}, SliceAttrs{.begin = {2}, .size = {3}}), Error);
  CHECK_THROWS_AS(get_slice_bounds({4}, SliceAttrs{.begin = {-1}, .size = {1}}), Error);
  CHECK_THROWS_AS(get_slice_bounds({4}, SliceAttrs{.begin = {0}, .size = {-2}}), Error);
  CHECK_THROWS_AS(get_slice_bounds({4}, SliceAttrs{.begin = {2147483647}, .size = {2147483647}}), Error);
}

TEST_CASE("A strided slice counts the elements that a loop would visit", "[shape_util]") {
  const std::int32_t extent = GENERATE(0, 1, 5);
  const std::int32_t begin = GENERATE(-7, -2, 0, 3, 9);
  const std::int32_t end = GENERATE(-9, -1, 0, 4, 8);
  const std::int32_t stride = GENERATE(-3, -1, 1, 2);
  const Slicing slicing =
      get_slice_bounds({extent}, StridedSliceAttrs{.begin = {begin}, .end = {end}, .strides = {stride}});
  // As Python's range(extent)[begin:end:stride].
  const auto clamped = [&](std::int32_t index) {
    if (index < 0) index += extent;
    return stride > 0 ? std::clamp(index, 0, extent) : std::clamp(index, -1, extent - 1);
  };
  std::int32_t count = 0;
  for (std::int32_t i = clamped(begin); stride > 0 ? i < clamped(end) : i > clamped(end); i += stride)
    ++count;
  CHECK(slicing.shape == Shape{count});
  if (count > 0) CHECK(slicing.begin == Dims{clamped(begin)});
}

TEST_CASE("Masks add, skip and remove dimensions", "[shape_util]") {
  // x[..., newaxis, 1, ::-1]
  const Slicing slicing = get_slice_bounds({2, 3, 4, 5}, StridedSliceAttrs{.begin = {0, 0, 1, 0},
                                                                           .end = {0, 0, 2, 0},
                                                                           .strides = {1, 1, 1, -1},
                                                                           .begin_mask = 8,
                                                                           .end_mask = 8,
                                                                           .ellipsis_mask = 1,
                                                                           .new_axis_mask = 2,
                                                                           .shrink_axis_mask = 4});
  CHECK(slicing.shape == Shape{2, 3, 1, 5});
  CHECK(slicing.begin == Dims{0, 0, 1, 4});
  CHECK(slicing.stride == Dims{1, 1, 1, -1});
  CHECK(slicing.count == Dims{2, 3, 1, 5});
}

}  // namespace
}  // namespace tenure
