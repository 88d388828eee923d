#include "ops/moves.h"

namespace tenure {
namespace {

using moves::counted;
using moves::error_of;

TEST_CASE("tile repeats along each dimension", "[tile]") {
  struct Case {
    Shape in;
    Dims reps;
  };
  const Case cases[] = {{{3}, {1}},
                        {{3}, {4}},
                        {{1}, {5001}},
                        {{5000}, {9}},
                        {{2, 3}, {1, 2}},
                        {{2, 3}, {3, 1}},
                        {{4, 1}, {1, 70}},
                        {{2, 3, 2}, {2, 1, 3}},
                        {{2, 1, 3}, {1, 4, 1}},
                        {{1, 1, 1}, {2, 3, 4}},
                        {{2, 2, 2, 2}, {1, 3, 1, 2}},
                        {{}, {}}};
  for (const Case& c : cases) {
    CAPTURE(text(c.in), text(c.reps));
    Shape shape = c.in;
    for (int i = 0; i < shape.size(); ++i) shape[i] *= c.reps[i];
    for (const DType dtype : moves::kDTypes) {
      const Tensor x = counted(c.in, dtype);
      moves::check_moved(x, tile(x, {c.reps}), shape, [&](const Dims& index) {
        Dims from = index;
        for (int i = 0; i < from.size(); ++i) from[i] %= c.in[i];
        return from;
      });
    }
  }
}

TEST_CASE("tile of nothing, and no times", "[tile]") {
  const Tensor x = counted({2, 3});
  CHECK(tile(x, {{0, 2}}).shape() == Shape{0, 6});
  const Tensor empty = counted({0, 3});
  CHECK(tile(empty, {{5, 2}}).shape() == Shape{0, 6});
}

TEST_CASE("tile refuses repetitions that do not fit", "[tile]") {
  const Tensor x = counted({2, 3});
  CHECK(error_of([&] { tile(x, {{2}}); }) == "[tile] rank of input 2 must match length of reps [2].");
  CHECK(error_of([&] { tile(x, {{2, -1}}); }) == "[tile] expected reps of 0 or more, got [2,-1]");
  CHECK(error_of([&] { tile(x, {{2147483647, 1}}); }) ==
        "[tile] the result would have 4294967294 elements along axis 0");
  CHECK_THROWS_AS(tile(x, {{65536, 65536}}), Error);
}

}  // namespace
}  // namespace tenure
