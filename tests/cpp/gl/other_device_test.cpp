#include "core/run/dispatch.h"
#include "gl/backend.h"
#include "gl/fixture.h"
#include "ops/ops.h"
#include "stub/backend.h"
#include "stub/device.h"

namespace tenure::gl {

TEST_CASE("Values of another device are transferred through the CPU", "[gl][device]") {
  const GlFixture gl;
  stub::device().start();
  {
    const Tensor x = random_values({100, 100});
    const Tensor expected = reference(Op::add, {x, x});
    Tensor there = on_cpu(x);
    stub::device().move_to_device(there);
    const Tensor sum = add(there, there);
    CHECK(sum.storage()->only_on(gl::device()));
    expect_equal(sum, expected);

    Tensor small = Tensor::from({1.0F, 2.0F}, {2});
    stub::device().move_to_device(small);
    CHECK(neg(small).storage()->on_cpu());

    const Tensor drawn = on_device(x);
    const BackendGuard other(stub::backend());
    const Tensor back = add(drawn, drawn);
    CHECK(back.storage()->only_on(stub::device()));
    expect_equal(back, expected);
  }
  CHECK(stub::device().memory().used == 0);
  stub::device().lose();
}

}  // namespace tenure::gl
