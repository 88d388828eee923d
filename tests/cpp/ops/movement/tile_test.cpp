#include "ops/moves.h"

namespace tenure {
namespace {

using moves::counted;
using moves::error_of;

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
