#include "core/run/dispatch.h"
#include "ops/cases/case.h"
#include "ops/cases/device_checks.h"
#include "ops/ops.h"
#include "stub/backend.h"
#include "stub/device.h"
#include "webgpu/backend.h"
#include "webgpu/fixture.h"

namespace tenure::webgpu {

TEST_CASE("Values of another device are transferred to WebGPU and back through the CPU", "[webgpu][device]") {
  const WebGpuFixture gpu;
  const cases::AllOnDevice all;
  stub::device().start();
  {
    const Tensor expected = counted_values({100, 100});
    Tensor there = counted_values({100, 100});
    stub::device().move_to_device(there);
    const Tensor difference = sub(there, Tensor::from({0.0F}, {1}));
    CHECK(difference.storage()->only_on(webgpu::device()));
    CHECK(cases::difference(difference, expected, 0).empty());

    const BackendGuard other(stub::backend());
    const Tensor back = add(difference, difference);
    CHECK(back.storage()->only_on(stub::device()));
    CHECK(back.data<float>()[9999] == 2 * expected.data<float>()[9999]);
  }
  CHECK(stub::device().memory().used == 0);
  stub::device().lose();
}

}  // namespace tenure::webgpu
