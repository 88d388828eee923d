#include "gl/fixture.h"
#include "ops/ops.h"

namespace tenure::gl {

TEST_CASE("Integers of 64 bits are checked though they are on the GPU", "[gl][checked]") {
  const GlFixture gl;
  const Tensor x = on_device(Tensor::from({2147483647, 5}, {2}));
  const auto add_to = [&](std::int32_t y) {
    return checked_arithmetic(x, Tensor::from({y}, {1}), {.op = IntegerArithmetic::kAdd});
  };
  CHECK_THROWS_WITH(add_to(1),
                    "[checkedArithmetic] integers are computed as int32, which cannot hold 2147483647 + 1");
  CHECK(add_to(-1).data<std::int32_t>()[1] == 4);
}

}  // namespace tenure::gl
