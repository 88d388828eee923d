#include "model/plan/plan.h"

#include <cmath>

#include "core/memory/transfer_stats.h"
#include "core/run/dispatch.h"
#include "core/run/kernel_observer.h"
#include "miss.h"
#include "model/passes/passes.h"
#include "model/plan/placement.h"
#include "model/trace.h"
#include "ops/cases/case.h"
#include "ops/cases/device_checks.h"
#include "ops/ops.h"
#include "owner/profile.h"
#include "webgpu/fixture.h"

namespace tenure::webgpu {
namespace {

using test::trace;

Tensors long_chain(const Tensors& in) {
  Tensor x = in[0];
  for (int i = 0; i < 20; ++i) x = tanh(add(x, reshape(x, {x.shape()})));
  return {x};
}

/// Ops that no other test has in this order, for pipelines that are not compiled yet.
Tensors rare_chain(const Tensors& in) {
  const Tensor product = mat_mul(sinh(in[0]), in[1]);
  return {softsign(cosh(add(product, Tensor::scalar(0.5F))))};
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

TEST_CASE("A plan on WebGPU compiles its pipelines ahead of its first run, without buffers",
          "[webgpu][plan]") {
  const WebGpuFixture gpu;
  const cases::AllOnDevice device;
  Context& context = *Context::current();
  const Tensors inputs = {counted_values({6, 8}), counted_values({8, 4})};
  Plan plan(trace(inputs, rare_chain));
  Plan on_cpu(trace(inputs, rare_chain), cpu_backend());
  const std::size_t pipelines = context.pipeline_count();
  plan.prelink();
  const std::size_t compiled = context.pipeline_count();
  CHECK(compiled > pipelines);
  CHECK(context.buffers().stats().used == 0);
  CHECK_FALSE(context.prelinking());
  plan.prelink();
  const Tensor got = plan.run(inputs)[0];
  CHECK(context.pipeline_count() == compiled);
  CHECK(cases::difference(got, on_cpu.run(inputs)[0], 1e-5).empty());
}

TEST_CASE("A plan on WebGPU convolves on the CPU what is larger than the device's buffers",
          "[webgpu][plan]") {
  const WebGpuFixture gpu;
  const cases::AllOnDevice device;
  constexpr std::int32_t kWidth = 1 << 12;
  const std::size_t max_elements = context().limits().max_buffer_bytes / sizeof(float);
  const auto height = static_cast<std::int32_t>(max_elements / kWidth + 1);
  if (max_elements > std::size_t{1} << 28) return miss("the WebGPU device has large buffers");
  const Tensors inputs = {fill({{1, height, kWidth, 1}, 1.0F}), counted_values({1, 1, 1, 4})};
  Plan plan(trace(inputs, [](const Tensors& in) {
    const ConvAttrs attrs = {.stride_h = 1 << 10, .stride_w = 1 << 10};
    return Tensors{tanh(add(conv2d(in[0], in[1], attrs), Tensor::scalar(1.0F)))};
  }));
  const Tensor got = plan.run(inputs)[0];
  CHECK(got.data<float>()[3] == Catch::Approx(std::tanh(1.375F)));
}

TEST_CASE("A plan on WebGPU throws when its pipelines are to be compiled on a lost device",
          "[webgpu][plan]") {
  const WebGpuFixture gpu;
  const cases::AllOnDevice device;
  const Tensors inputs = {counted_values({30, 40})};
  Plan plan(trace(inputs, long_chain));
  Context::stop();
  CHECK_THROWS_AS(plan.prelink(), Error);
  REQUIRE(Context::start());
}

TEST_CASE("Passes read no scalars that are only on the device", "[webgpu][plan]") {
  const WebGpuFixture gpu;
  const cases::AllOnDevice device;
  const Tensors inputs = {counted_values({30, 40})};
  const Tensor offset = cases::to_device(Tensor::from({0.5F}, {1}));
  Graph graph = trace(inputs, [&](const Tensors& in) {
    return Tensors{clip_by_value(add(mul(in[0], Tensor::scalar(0.2F)), offset), {0.0F, 1.0F})};
  });
  passes::optimize(graph);
  CHECK(offset.storage()->only_on_device());
}

TEST_CASE("A loop runs where its weights and sequences are", "[webgpu][plan]") {
  const WebGpuFixture gpu;
  constexpr std::int32_t kSteps = 9;
  const TensorSpec rows{{2, 3}, DType::kFloat32};
  const bool backwards = GENERATE(false, true);
  const bool all = GENERATE(false, true);
  const Tensor weight = Tensor::from({0.1F, -0.2F, 0.3F, 0.2F, 0.1F, -0.1F, 0.5F, 0.2F, 0.3F}, {3, 3});
  const auto make_graph = [&](const Tensor& w) {
    GraphTracer body;
    const Tensor x = body.add_input(rows);
    const Tensor h = body.add_input(rows);
    Graph step = [&] {
      const TraceGuard guard(&body);
      const Tensor next = tanh(add(x, mat_mul(h, w)));
      return std::move(body).finish(Tensors{next, next});
    }();
    GraphTracer tracer;
    const Tensors in = {tracer.add_input({{2 * kSteps, 3}, DType::kFloat32}), tracer.add_input(rows)};
    const Tensor out = tracer.add_loop({std::move(step), kSteps, 1, backwards, all}, in);
    return std::move(tracer).finish(Tensors{out});
  };
  const Tensors inputs = {counted_values({2 * kSteps, 3}), counted_values({2, 3})};
  Plan on_cpu(make_graph(weight), cpu_backend());
  const Tensor expected = on_cpu.run(inputs)[0];

  const Graph graph = make_graph(cases::to_device(weight));
  CHECK(&choose_backend(graph) == &usable_backend());
  Plan plan(graph);
  plan.prelink();
  const Tensors moved = cases::to_device(inputs);
  const std::size_t downloads = total_transfer_stats().downloads;
  for (int run = 0; run < 2; ++run) {
    const Tensor got = plan.run(moved)[0];
    CHECK(got.storage()->only_on_device());
    CHECK(total_transfer_stats().downloads == downloads + static_cast<std::size_t>(run));
    CHECK(cases::difference(got, expected, 1e-5).empty());
  }
}

TEST_CASE("A profile tells the dispatches of each kernel on WebGPU", "[webgpu][plan][profile]") {
  const WebGpuFixture gpu;
  const cases::AllOnDevice device;
  const Tensors inputs = {counted_values({8, 8})};
  const auto on_device = [](const Tensors& in) { return Tensors{exp(mat_mul(in[0], in[0]))}; };
  Plan plan(trace(inputs, on_device));
  Profile profile;
  const auto first = static_cast<std::int32_t>(dispatch_count());
  softmax(inputs[0]);
  plan.run(inputs);
  {
    const BackendGuard on_cpu(cpu_backend());
    exp(inputs[0]);
  }
  const std::vector<std::int32_t>& words = profile.take();
  std::int32_t next = first;
  std::vector<std::int32_t> dispatches;
  for (std::size_t at = 0; at < words.size();) {
    CHECK(words[at + kFirstDispatch] == next);
    dispatches.push_back(words[at + kDispatches]);
    next += dispatches.back();
    std::int32_t shapes = words[at + kShapes];
    for (at += kProfileFields; shapes > 0; --shapes) at += 1 + static_cast<std::size_t>(words[at]);
  }
  REQUIRE(dispatches.size() >= 3);
  CHECK(dispatches.front() > 1);
  CHECK(dispatches[1] > 0);
  CHECK(dispatches.back() == 0);
  CHECK(next == static_cast<std::int32_t>(dispatch_count()));
}

}  // namespace tenure::webgpu
