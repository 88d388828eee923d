#include "gl/fixture.h"
#include "ops/ops.h"

namespace tenure::gl {

TEST_CASE("An index out of range throws where the CPU knows it, else gives 0", "[gl][gather]") {
  const GlFixture gl;
  const Tensor x = on_device(Tensor::from({1.0F, 2.0F, 3.0F}, {3}));
  const Tensor indices = Tensor::from({2, 3, -1, 0}, {4});
  CHECK_THROWS_WITH(gather(x, indices, {}), "[gather] GatherV2: the index value 3 is not in [0, 2]");
  const Tensor there = on_device(indices);
  const Tensor got = gather(x, there, {});
  CHECK(std::vector<float>(got.data<float>(), got.data<float>() + 4) == std::vector<float>{3, 0, 0, 1});
}

}  // namespace tenure::gl
