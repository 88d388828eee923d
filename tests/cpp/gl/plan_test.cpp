#include "model/plan/plan.h"

#include <optional>

#include "core/memory/transfer_stats.h"
#include "core/run/dispatch.h"
#include "cpu/quant/halves.h"
#include "gl/fixture.h"
#include "model/trace.h"
#include "ops/ops.h"

namespace tenure::gl {
namespace {

using test::trace;

/// Scope: runs all ops on the device, whatever their size.
struct DeviceOnly {
  DeviceOnly() { set_min_elements_for_device(0); }
  ~DeviceOnly() { set_min_elements_for_device(std::nullopt); }
  DeviceOnly(const DeviceOnly&) = delete;
  DeviceOnly& operator=(const DeviceOnly&) = delete;
};

Tensors long_chain(const Tensors& in) {
  Tensor x = in[0];
  for (int i = 0; i < 20; ++i) x = tanh(add(x, reshape(x, {x.shape()})));
  return {x};
}

}  // namespace

TEST_CASE("A plan on the GPU computes what the CPU does", "[gl][plan]") {
  const GlFixture gl;
  const DeviceOnly everything;
  const Tensors inputs = {random_values({30, 40})};
  const Graph graph = trace(inputs, long_chain);
  Plan plan(graph);
  REQUIRE(&plan.backend() == &usable_backend());
  Plan on_cpu(graph, cpu_backend());
  const Tensor expected = on_cpu.run(inputs)[0];
  CHECK(expected.storage()->device() == nullptr);
  for (int run = 0; run < 2; ++run) {
    const Tensor got = plan.run(inputs)[0];
    CHECK(got.storage()->only_on_device());
    expect_equal(got, expected);
  }
}

TEST_CASE("A plan on the GPU keeps the textures that a later step reads, and no others", "[gl][plan]") {
  const GlFixture gl;
  const DeviceOnly everything;
  TexturePool& textures = Context::current()->textures();
  textures.trim();
  const Tensors inputs = {on_device(random_values({64, 64}))};
  Plan plan(trace(inputs, long_chain));
  const std::size_t input_textures = textures.stats().used;
  for (int run = 0; run < 3; ++run) {
    const Tensors outputs = plan.run(inputs);
    CHECK(textures.stats().used == input_textures + 1);
  }
  CHECK(textures.stats().used == input_textures);
  // The input, and two that the steps write in turn.
  CHECK(textures.stats().used + textures.stats().free <= 4);
}

TEST_CASE("A plan for which the GPU does not pay runs on the CPU", "[gl][plan]") {
  const GlFixture gl;
  const Tensors inputs = {random_values({30, 40})};
  const TransferStats before = total_transfer_stats();
  Plan plan(trace(inputs, long_chain));
  CHECK(&plan.backend() == &cpu_backend());
  CHECK(plan.run(inputs)[0].storage()->on_cpu());
  CHECK(total_transfer_stats().uploads == before.uploads);

  const Tensors large = {random_values({2000, 3000})};
  CHECK(&Plan(trace(large, long_chain)).backend() == &usable_backend());
}

TEST_CASE("A chain of elementwise ops in a plan is one step", "[gl][plan]") {
  const GlFixture gl;
  const DeviceOnly everything;
  const Tensors inputs = {random_values({2, 6, 5}), random_values({6, 5})};
  const Tensor bias = random_values({5});
  const Tensor one = on_device(random_values({1}));
  const auto f = [&](const Tensors& in) -> Tensors {
    const Tensor a = leaky_relu(add(in[0], bias), {.alpha = 0.3F});
    const Tensor b = mul(sub(a, in[1]), one);
    const Tensor c = maximum(tanh(b), mul(b, b));
    return {clip_by_value(add(c, Tensor::scalar(0.25F)), {.min = -0.5F, .max = 0.9F})};
  };
  const Graph graph = trace(inputs, f);
  Plan plan(graph);
  CHECK(plan.step_count() == 1);
  const std::size_t fallbacks = fallback_count();
  const Tensor got = plan.run(inputs)[0];
  CHECK(fallback_count() == fallbacks);
  expect_equal(got, Plan(graph, cpu_backend()).run(inputs)[0]);
}

TEST_CASE("Weights of float16 stay so beside their copy on the GPU", "[gl][plan][halves]") {
  const GlFixture gl;
  const DeviceOnly everything;
  const std::vector<std::uint16_t> bits = test::to_halves(random_values({64, 40}));
  const Tensor weights = test::make_halves(bits, {64, 40});
  const Tensor floats = test::widen(bits, {64, 40});
  for (const std::int32_t rows : {1, 50}) {
    const Tensor x = random_values({rows, 64});
    const Tensor want = on_cpu(mat_mul(x, floats));
    expect_equal(mat_mul(on_device(x), weights), want, 1e-4F);
    CHECK(HalfFloats::of(weights) != nullptr);
    const auto f = [&](const Tensors& in) -> Tensors { return {mat_mul(in[0], weights)}; };
    // As sessions make plans.
    std::optional<ScopedMaterialization> materialized(std::in_place);
    Plan plan(trace({x}, f));
    materialized.reset();
    for (int i = 0; i < 2; ++i) expect_equal(plan.run(std::span(&x, 1))[0], want, 1e-4F);
    CHECK(HalfFloats::of(weights) != nullptr);
    CHECK(weights.storage()->bytes_on_cpu() < bits.size() * 2 + 1024);
  }
}

TEST_CASE("A filter that is an input is packed anew in each run", "[gl][plan][chain]") {
  const GlFixture gl;
  const DeviceOnly everything;
  const Tensor x = random_values({2, 13, 9, 32});
  const auto f = [](const Tensors& in) -> Tensors {
    return {tanh(relu(conv2d(in[0], in[1], {.padding = Padding::kSame})))};
  };
  Plan plan(trace({x, random_values({3, 3, 32, 20})}, f));
  for (const float scale : {1.0F, -2.0F}) {
    const Tensors inputs = {x, mul(random_values({3, 3, 32, 20}), Tensor::scalar(scale))};
    const Tensor got = plan.run(inputs)[0];
    expect_equal(got, f(inputs)[0], 1e-4F);
  }
}

TEST_CASE("A convolution on the GPU goes on with the chain that follows it", "[gl][plan][chain]") {
  const GlFixture gl;
  const DeviceOnly everything;
  struct Case {
    Shape x;
    Shape filter;
    std::size_t steps;
  };
  // By fragments, by tiles and by rows. Channels that do not fill texels, and groups, need a second step.
  const Case cases[] = {{{1, 5, 4, 4}, {1, 1, 4, 8}, 1},      {{2, 13, 9, 32}, {3, 3, 32, 20}, 1},
                        {{1, 16, 16, 64}, {1, 1, 64, 64}, 1}, {{1, 1, 6, 256}, {1, 1, 256, 64}, 1},
                        {{1, 9, 7, 3}, {3, 3, 3, 16}, 1},     {{1, 9, 7, 8}, {3, 3, 8, 6}, 2},
                        {{1, 9, 7, 8}, {3, 3, 4, 8}, 2}};
  for (const auto& [shape, window, steps] : cases) {
    INFO(shape[1] << " rows, a filter of " << window[2] << " x " << window[3]);
    const Tensor filter = random_values(window);
    const Tensor bias = random_values({window[3]});
    const Tensor slopes = random_values({1, 1, window[3]});
    const ConvAttrs attrs = {.padding = Padding::kSame};
    const Tensor x = random_values(shape);
    const Tensors inputs = {x, random_values(conv2d(x, filter, attrs).shape())};
    const auto check = [&](auto follow) {
      const auto f = [&](const Tensors& in) -> Tensors {
        return {follow(conv2d(in[0], filter, bias, attrs), in[1])};
      };
      const Graph graph = trace(inputs, f);
      Plan plan(graph);
      REQUIRE(&plan.backend() == &usable_backend());
      CHECK(plan.step_count() == steps);
      const Tensor expected = Plan(graph, cpu_backend()).run(inputs)[0];
      const std::size_t fallbacks = fallback_count();
      for (int run = 0; run < 2; ++run) expect_equal(plan.run(inputs)[0], expected, 1e-4);
      CHECK(fallback_count() == fallbacks);
    };
    check([&](const Tensor& y, const Tensor& r) { return prelu(add(r, y), slopes); });
    check([](const Tensor& y, const Tensor& r) { return mul(y, relu6(add(y, r))); });
    check([](const Tensor& y, const Tensor& r) {
      return clip_by_value(add(relu(y), mul(r, Tensor::scalar(0.5F))), {.min = -0.4F, .max = 0.7F});
    });
  }
}

TEST_CASE("What others read ends a chain", "[gl][plan]") {
  const GlFixture gl;
  const DeviceOnly everything;
  const Tensors inputs = {random_values({2, 6})};
  const auto f = [&](const Tensors& in) -> Tensors {
    const Tensor a = exp(neg(in[0]));
    const Tensor b = sqrt(a);
    return {a, abs(relu(b)), sum(b)};
  };
  const Graph graph = trace(inputs, f);
  Plan plan(graph);
  CHECK(plan.step_count() == 4);  // a; b; its sum; abs(relu(b))
  const Tensors got = plan.run(inputs);
  const Tensors expected = Plan(graph, cpu_backend()).run(inputs);
  REQUIRE(got.size() == expected.size());
  for (std::size_t k = 0; k < got.size(); ++k) expect_equal(got[k], expected[k]);
}

TEST_CASE("A plan lays out inputs and filters as tiles read them", "[gl][plan]") {
  const GlFixture gl;
  const TuningGuard tiles(Tuning::software());
  const DeviceOnly everything;
  const Tensors constants = {random_values({3, 3, 3, 32}), random_values({32}), random_values({1, 1, 32, 40}),
                             random_values({40, 17})};
  const auto f = [&](const Tensors& in) -> Tensors {
    const Tensor stem = conv2d(in[0], constants[0], constants[1], {.padding = Padding::kSame});
    const Tensor wide = relu(conv2d(stem, constants[2], {}));
    const Tensor rows = reshape(wide, {{2 * 18 * 19, 40}});
    return {mat_mul(rows, constants[3], {})};
  };
  const Tensors inputs = {random_values({2, 18, 19, 3})};
  const Graph graph = trace(inputs, f);
  Plan plan(graph);
  const Tensor expected = Plan(graph, cpu_backend()).run(inputs)[0];
  const std::size_t fallbacks = fallback_count();
  expect_equal(plan.run(inputs)[0], expected, 1e-4);
  const std::size_t uploads = total_transfer_stats().uploads;
  expect_equal(plan.run(inputs)[0], expected, 1e-4);
  CHECK(total_transfer_stats().uploads == uploads + 1);
  const Tensors moved = {on_device(inputs[0])};
  expect_equal(plan.run(moved)[0], expected, 1e-4);
  CHECK(fallback_count() == fallbacks);
}

TEST_CASE("What is left to the CPU runs once, in the first run too", "[gl][plan]") {
  const GlFixture gl;
  const DeviceOnly everything;
  const Tensors inputs = {random_values({1, 1, 50000, 1})};
  const auto f = [](const Tensors& in) -> Tensors {
    const Tensor positive = relu(in[0]);
    return {resize_bilinear(positive, {.height = 1, .width = 45000})};
  };
  const Graph graph = trace(inputs, f);
  Plan plan(graph);
  const Tensor expected = Plan(graph, cpu_backend()).run(inputs)[0];
  const std::size_t fallbacks = fallback_count();
  expect_equal(plan.run(inputs)[0], expected);
  CHECK(fallback_count() == fallbacks + 1);
}

}  // namespace tenure::gl
