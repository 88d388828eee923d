#include "shape_util/window.h"

#include "catch.h"
#include "core/error.h"

namespace tenure {
namespace {

TEST_CASE("The taps inside the input are those that a loop finds", "[shape_util]") {
  const std::int32_t in = GENERATE(0, 1, 5, 8);
  const std::int32_t window = GENERATE(1, 2, 3, 7);
  const std::int32_t stride = GENERATE(1, 2, 3);
  const std::int32_t dilation = GENERATE(1, 2);
  const WindowAxis axis = window_axis(in, window, stride, dilation, Padding::kSame);
  CHECK(axis.out == (in + stride - 1) / stride);
  for (std::int32_t o = 0; o < axis.out; ++o) {
    const std::int32_t origin = axis.origin(o);
    std::int32_t first = window;
    std::int32_t end = 0;
    for (std::int32_t tap = 0; tap < window; ++tap) {
      const std::int32_t at = origin + tap * axis.dilation;
      if (at < 0 || at >= in) continue;
      first = std::min(first, tap);
      end = tap + 1;
    }
    if (end > 0) CHECK(axis.first_tap(origin) == first);
    CHECK(std::max(axis.end_tap(origin), axis.first_tap(origin)) == std::max(end, axis.first_tap(origin)));
  }
}

TEST_CASE("Paddings give TensorFlow's output sizes", "[shape_util]") {
  CHECK(window_axis(7, 3, 2, 1, Padding::kValid).out == 3);
  CHECK(window_axis(7, 3, 2, 2, Padding::kValid).out == 2);
  const WindowAxis same = window_axis(6, 3, 2, 1, Padding::kSame);
  CHECK(same.out == 3);
  // The odd pad is behind.
  CHECK(same.pad_before == 0);
  CHECK(same.pad_after == 1);
  CHECK(window_axis(6, 3, 2, 1, Padding::kExplicit, 1, 0, Rounding::kFloor).out == 3);
  CHECK(window_axis(6, 2, 3, 1, Padding::kExplicit, 0, 0, Rounding::kFloor).out == 2);
  CHECK(window_axis(6, 2, 3, 1, Padding::kExplicit, 0, 0, Rounding::kCeil).out == 3);
}

TEST_CASE("Windows that do not fit, or reach beyond 32 bits, are refused", "[shape_util]") {
  CHECK_THROWS_AS(window_axis(2, 4, 1, 1, Padding::kValid), Error);
  CHECK_THROWS_AS(window_axis(4, 0, 1, 1, Padding::kValid), Error);
  CHECK_THROWS_AS(window_axis(4, 2, 0, 1, Padding::kValid), Error);
  CHECK_THROWS_AS(window_axis(4, 2, 1, 0, Padding::kValid), Error);
  CHECK_THROWS_AS(window_axis(4, 2, 1, 1, Padding::kExplicit, -1, 0), Error);
  CHECK_THROWS_AS(window_axis(4, 1 << 16, 1, 1 << 16, Padding::kSame), Error);
}

}  // namespace
}  // namespace tenure
