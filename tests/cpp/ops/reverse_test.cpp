#include "ops/moves.h"

namespace tenure {
namespace {

using moves::counted;

TEST_CASE("reverse turns the named axes, or all", "[reverse]") {
  const Shape shapes[] = {{1, 1, 1}, {2, 3, 4}, {3, 1, 17}, {5, 16, 2}};
  const Dims lists[] = {{}, {0}, {1}, {2}, {-1}, {0, 1}, {1, 2}, {0, 2}, {-3, 1}, {0, 0}, {0, 1, 2}};
  for (const Shape& shape : shapes) {
    for (const Dims& axes : lists) {
      CAPTURE(text(shape), text(axes));
      for (const DType dtype : moves::kDTypes) {
        const Tensor x = counted(shape, dtype);
        moves::check_moved(x, reverse(x, {axes}), shape, [&](const Dims& index) {
          Dims from = index;
          for (int i = 0; i < 3; ++i) {
            if (axes.empty() || axes.contains(i) || axes.contains(i - 3)) from[i] = shape[i] - 1 - index[i];
          }
          return from;
        });
      }
    }
  }
}

TEST_CASE("reverse of a scalar and of nothing", "[reverse]") {
  const Tensor scalar = Tensor::scalar(3.0F);
  CHECK(moves::numbers(reverse(scalar)) == std::vector<double>{3});
  const Tensor empty = counted({0, 2});
  CHECK(reverse(empty).shape() == Shape{0, 2});
}

TEST_CASE("reverse refuses axes that are not there", "[reverse]") {
  const Tensor x = counted({2, 3});
  CHECK_THROWS_AS(reverse(x, {{2}}), Error);
  CHECK_THROWS_AS(reverse(x, {{-3}}), Error);
  Dims hostile;
  hostile.rank = 77;
  CHECK(moves::error_of([&] { reverse(x, {hostile}); }) ==
        "[reverse] expected at most 8 axes, got a list of 77");
}

}  // namespace
}  // namespace tenure
