#include "ops/moves.h"

namespace tenure {
namespace {

using moves::counted;
using moves::error_of;

TEST_CASE("transpose without an order reverses the axes", "[transpose]") {
  const Tensor x = counted({2, 3, 4});
  CHECK(transpose(x).shape() == Shape{4, 3, 2});
  CHECK(moves::numbers(transpose(x)) == moves::numbers(transpose(x, {{2, 1, 0}})));
  const Tensor scalar = counted({});
  CHECK(transpose(scalar).rank() == 0);
  const Tensor empty = counted({2, 0, 3});
  CHECK(transpose(empty).shape() == Shape{3, 0, 2});
}

TEST_CASE("transpose refuses what is no order of the axes", "[transpose]") {
  const Tensor x = counted({2, 3});
  CHECK(error_of([&] { transpose(x, {{0}}); }) ==
        "[transpose] Error in transpose: rank of input 2 must match length of perm [0].");
  CHECK(error_of([&] { transpose(x, {{0, 2}}); }) ==
        "[transpose] All entries in 'perm' must be between 0 and 1 but got [0,2]");
  CHECK(error_of([&] { transpose(x, {{1, 1}}); }) == "[transpose] perm must name each axis once, got [1,1]");
  Dims hostile;
  hostile.rank = -5;
  CHECK_THROWS_AS(transpose(x, {hostile}), Error);
}

}  // namespace
}  // namespace tenure
