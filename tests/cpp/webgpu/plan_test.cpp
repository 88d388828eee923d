#include "model/plan/plan.h"

#include "core/run/dispatch.h"
#include "model/trace.h"
#include "ops/cases/case.h"
#include "ops/cases/device_checks.h"
#include "ops/ops.h"
#include "webgpu/fixture.h"

namespace tenure::webgpu {
namespace {

using test::trace;

Tensors long_chain(const Tensors& in) {
  Tensor x = in[0];
  for (int i = 0; i < 20; ++i) x = tanh(add(x, reshape(x, {x.shape()})));
  return {x};
}

}  // namespace

TEST_CASE("A plan on WebGPU computes what the CPU does", "[webgpu][plan]") {
  const WebGpuFixture gpu;
  const cases::AllOnDevice device;
  const Tensors inputs = {counted_values({30, 40})};
  const Graph graph = trace(inputs, long_chain);
  Plan plan(graph);
  REQUIRE(&plan.backend() == &usable_backend());
  Plan on_cpu(graph, cpu_backend());
  const Tensor expected = on_cpu.run(inputs)[0];
  for (int run = 0; run < 2; ++run) {
    const Tensor got = plan.run(inputs)[0];
    CHECK(got.storage()->only_on_device());
    CHECK(cases::difference(got, expected, 1e-5).empty());
  }
}

TEST_CASE("A plan on WebGPU keeps the buffers that a later step reads, and no others", "[webgpu][plan]") {
  const WebGpuFixture gpu;
  const cases::AllOnDevice device;
  BufferPool& buffers = Context::current()->buffers();
  buffers.trim();
  const Tensors inputs = {cases::to_device(counted_values({64, 64}))};
  Plan plan(trace(inputs, long_chain));
  for (int run = 0; run < 3; ++run) {
    const Tensors outputs = plan.run(inputs);
    CHECK(buffers.stats().used == 2);
  }
  CHECK(buffers.stats().used == 1);
  // The input, and two that the steps write in turn.
  CHECK(buffers.stats().used + buffers.stats().free == 3);
}

TEST_CASE("A plan on WebGPU fuses elementwise ops into one pipeline", "[webgpu][plan]") {
  const WebGpuFixture gpu;
  const cases::AllOnDevice device;
  const Tensors inputs = {counted_values({30, 40}), counted_values({40})};
  const std::size_t pipelines = Context::current()->pipeline_count();
  Plan plan(trace(inputs, [](const Tensors& in) {
    const Tensor shifted = add(mul(in[0], in[0]), in[1]);
    return Tensors{relu(sub(leaky_relu(shifted, {0.3F}), in[0]))};
  }));
  const Tensor got = plan.run(inputs)[0];
  CHECK(Context::current()->pipeline_count() == pipelines + 1);
  for (std::size_t i = 0; i < got.elements(); ++i) {
    const float x = inputs[0].data<float>()[i];
    const float y = inputs[1].data<float>()[i % 40];
    CHECK(got.data<float>()[i] == Catch::Approx(std::max(x * x + y - x, 0.0F)));
  }
}

}  // namespace tenure::webgpu
