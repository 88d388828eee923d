#include "ops/moves.h"

namespace tenure {
namespace {

using moves::counted;

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
