#include <limits>

#include "ops/moves.h"

namespace tenure {
namespace {

using moves::counted;
using moves::error_of;
using moves::numbers;

TEST_CASE("Blocks of space go to examples and back", "[space_batch]") {
  for (const DType dtype : moves::kDTypes) {
    const Tensor x = counted({2, 4, 6, 3}, dtype);
    const BlocksAttrs blocks{.block = {2, 3}, .before = {0, 0}, .after = {0, 0}};
    const Tensor y = space_to_batch(x, blocks);
    moves::check_moved(x, y, {12, 2, 2, 3}, [](const Dims& index) {
      const std::int32_t block = index[0] / 2;
      return Dims{index[0] % 2, index[1] * 2 + block / 3, index[2] * 3 + block % 3, index[3]};
    });
    CHECK(numbers(batch_to_space(y, blocks)) == numbers(x));
  }
  const Tensor x = counted({1, 3, 1});
  CHECK(numbers(space_to_batch(x, {{2}, {1}, {0}})) == std::vector<double>{0, 1, 0, 2});
  CHECK(numbers(batch_to_space(counted({2, 2, 1}), {{2}, {1}, {1}})) == std::vector<double>{2, 1});
  CHECK(space_to_batch(counted({0, 4}), {{2}, {0}, {0}}).shape() == Shape{0, 2});
}

TEST_CASE("Blocks that do not fit", "[space_batch]") {
  const std::int32_t most = std::numeric_limits<std::int32_t>::max();
  const Tensor x = counted({4, 2, 2});
  for (const BlocksAttrs& blocks :
       {BlocksAttrs{{0}, {0}, {0}}, BlocksAttrs{{-2}, {0}, {0}}, BlocksAttrs{{3}, {0}, {0}},
        BlocksAttrs{{2}, {-1}, {0}}, BlocksAttrs{{2, 2, 1}, {0, 0, 0}, {0, 0, 0}}, BlocksAttrs{{2}, {0}, {}},
        BlocksAttrs{{2}, {most}, {most}}, BlocksAttrs{{65536, 65536}, {0, 0}, {0, 0}}}) {
    CHECK_THROWS_AS(batch_to_space(x, blocks), Error);
    CHECK_THROWS_AS(space_to_batch(x, blocks), Error);
  }
  CHECK(error_of([&] { batch_to_space(x, {{2}, {3}, {2}}); }) ==
        "[batchToSpaceND] cannot crop 5 of 4 elements");
  for (const std::int32_t block : {most, 65536, 3, 1, 0, -2})
    CHECK_THROWS_AS(depth_to_space(counted({1, 1, 1, 4}), {.block = block}), Error);
}

}  // namespace
}  // namespace tenure
