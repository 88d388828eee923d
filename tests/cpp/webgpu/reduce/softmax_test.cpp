#include "core/run/dispatch.h"
#include "core/text.h"
#include "ops/cases/device_checks.h"
#include "webgpu/fixture.h"
#include "webgpu/product_checks.h"

namespace tenure::webgpu {

TEST_CASE("The softmax of short rows needs no buffer besides its result", "[webgpu][memory]") {
  const WebGpuFixture gpu;
  const cases::AllOnDevice device;
  BufferPool& buffers = context().buffers();
  for (const Op op : {Op::softmax, Op::log_softmax}) {
    for (std::int32_t width = 1; width <= 3; ++width) {
      INFO(text(op_def(op).name, " of rows of ", width));
      const Tensor x = cases::to_device(spread_values({100, width}, 1));
      buffers.trim();
      const Tensor y = run(op, {&x}, {});
      CHECK(buffers.stats().free == 0);
    }
  }
}

}  // namespace tenure::webgpu
