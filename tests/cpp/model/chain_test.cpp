#include "model/passes/chains.h"

#include "catch.h"
#include "cpu/threads/parallel.h"
#include "model/passes/passes.h"
#include "model/plan/plan.h"
#include "models.h"
#include "ops/ops.h"
#include "trace.h"

/// Chains of elementwise ops, alone and after convolutions, must compute what their ops compute one by one.
namespace tenure {
namespace {

using test::difference;
using test::random_values;
using test::trace;

/// Compares `f` run eagerly and run as a plan, which must have `steps` steps.
template <class F>
void check_steps(const Tensors& inputs, std::size_t steps, F f, float tolerance = 1e-5F) {
  const Tensors expected = f(inputs);
  Graph graph = trace(inputs, f);
  passes::optimize(graph);
  Plan plan(graph);
  CHECK(plan.step_count() == steps);
  for (int run = 0; run < 2; ++run) {
    const Tensors got = plan.run(inputs);
    REQUIRE(got.size() == expected.size());
    for (std::size_t i = 0; i < got.size(); ++i) CHECK(difference(got[i], expected[i]) <= tolerance);
  }
}

}  // namespace

TEST_CASE("A chain is one step, whatever repeats along it", "[model][plan][chain]") {
  const Tensor channels = random_values({5}, 2);
  const Tensor row = random_values({7, 5}, 3);
  const Tensor picture = random_values({40, 7, 5}, 4);  // longer than a block
  check_steps({random_values({2, 40, 7, 5})}, 1, [&](const Tensors& in) -> Tensors {
    const Tensor a = mul(in[0], channels);
    const Tensor b = maximum(sub(row, a), picture);
    return {div(tanh(add(b, Tensor::scalar(0.5F))), Tensor::scalar(3.0F))};
  });
}

TEST_CASE("Results within a chain are read by several of its ops", "[model][plan][chain]") {
  check_steps({random_values({3, 211}), random_values({3, 211}, 2)}, 1, [](const Tensors& in) -> Tensors {
    const Tensor a = square(in[0]);
    const Tensor b = mul(a, sigmoid(a));
    const Tensor c = sub(b, mul(a, in[1]));
    return {add(mul(b, c), a)};
  });
  // A value that is also read outside of the chain stays a separate step.
  check_steps({random_values({3, 4})}, 2, [](const Tensors& in) -> Tensors {
    const Tensor a = square(in[0]);
    return {a, neg(exp(a))};
  });
}

TEST_CASE("A chain follows a convolution in its step", "[model][plan][chain]") {
  for (const std::int32_t channels : {3, 8, 20}) {
    const Tensor bias = random_values({channels}, 5);
    const Tensor slopes = random_values({1, 1, channels}, 6);
    for (const std::int32_t window : {1, 3}) {
      const Tensor filter = random_values({window, window, 16, channels}, 4);
      const Tensors inputs = {random_values({2, 13, 9, 16}), random_values({2, 13, 9, channels}, 2)};
      INFO(channels << " channels, " << window);
      // Eager convolutions of so few pixels do not use tiles, so the rounding differs.
      const float tolerance = 2e-4F;
      const auto residual = [&](const Tensors& in) -> Tensors {
        return {prelu(add(conv2d(in[0], filter, bias, {.padding = Padding::kSame}), in[1]), slopes)};
      };
      check_steps(inputs, 1, residual, tolerance);
      // The product is read twice.
      const auto gated = [&](const Tensors& in) -> Tensors {
        const Tensor y = conv2d(in[0], filter, bias, {.padding = Padding::kSame});
        return {mul(y, relu6(add(y, in[1])))};
      };
      check_steps(inputs, 1, gated, tolerance);
    }
  }
}

TEST_CASE("A convolution adds what a chain adds to its result, and clamps the sums or slopes them",
          "[model][plan][chain]") {
  // Small filters, packed filters, tiles, several blocks of depth and rows, and column remainders.
  struct Case {
    Shape x;
    Shape filter;
    std::int32_t stride;
  };
  const Case cases[] = {
      {{1, 9, 7, 24}, {1, 1, 24, 24}, 1},     {{2, 13, 9, 32}, {1, 1, 32, 45}, 1},
      {{1, 3, 3, 1100}, {1, 1, 1100, 18}, 1}, {{1, 20, 18, 24}, {3, 3, 24, 27}, 1},
      {{1, 11, 12, 96}, {3, 3, 96, 34}, 2},   {{1, 1, 1, 700}, {1, 1, 700, 70}, 1},
      {{1, 8, 8, 6}, {3, 3, 3, 10}, 1},  // groups
  };
  for (const auto& [shape, window, stride] : cases) {
    INFO(shape[1] << " rows, a filter of " << window[2] << " x " << window[3]);
    const Tensor filter = random_values(window, 4);
    const Tensor bias = random_values({window[3]}, 5);
    const Tensor slopes = random_values({window[3]}, 6);
    const ConvAttrs attrs = {.stride_h = stride, .stride_w = stride, .padding = Padding::kSame};
    const Tensor x = random_values(shape);
    const Tensors inputs = {x, random_values(conv2d(x, filter, attrs).shape(), 2)};
    const auto check = [&](auto follow) {
      check_steps(
          inputs, 1,
          [&](const Tensors& in) -> Tensors { return {follow(conv2d(in[0], filter, bias, attrs), in[1])}; },
          1e-3F);
    };
    check([](const Tensor& y, const Tensor& r) { return add(y, r); });
    check([](const Tensor& y, const Tensor& r) { return relu(add(r, y)); });
    check([](const Tensor& y, const Tensor& r) { return relu6(add(y, r)); });
    check([](const Tensor& y, const Tensor& r) { return tanh(relu6(add(y, r))); });
    check([&](const Tensor& y, const Tensor& r) { return prelu(add(y, r), slopes); });
    check([&](const Tensor& y, const Tensor& r) { return mul(prelu(y, slopes), r); });
    check([&](const Tensor& y, const Tensor& r) { return sub(prelu(add(r, y), slopes), r); });
    check([&](const Tensor& y, const Tensor& r) { return add(prelu(y, slopes), prelu(r, y)); });
    // Slopes with other broadcasts.
    check([&](const Tensor& y, const Tensor& r) { return prelu(add(y, Tensor::scalar(0.5F)), r); });
    check([&](const Tensor& y, const Tensor& r) { return add(prelu(y, Tensor::scalar(0.25F)), r); });
    // First the sum is read twice, then the convolution's result.
    check([](const Tensor& y, const Tensor& r) {
      const Tensor sum = add(y, r);
      return mul(sum, sigmoid(relu(sum)));
    });
    check([](const Tensor& y, const Tensor& r) { return sub(relu(add(y, r)), y); });
    check([](const Tensor& y, const Tensor& r) { return add(add(y, y), r); });
  }
  // Broadcast inputs, and inputs added to an activated convolution, are added after the convolution.
  const Tensor filter = random_values({1, 1, 24, 24}, 4);
  const Tensors inputs = {random_values({1, 9, 7, 24}), random_values({9, 7, 24}, 2)};
  const Tensor channels = random_values({24}, 3);
  check_steps(inputs, 1,
              [&](const Tensors& in) -> Tensors { return {relu(add(conv2d(in[0], filter, {}), channels))}; });
  check_steps(inputs, 1, [&](const Tensors& in) -> Tensors {
    return {relu6(add(relu(conv2d(in[0], filter, {})), in[1]))};
  });
}

TEST_CASE("A convolution whose filter is computed adds what its output may lie over",
          "[model][plan][chain]") {
  // The sums of a single pixel are stored many times while the filter is streamed.
  const AxesAttrs channels = {.axes = {3}};
  const Tensors inputs = {random_values({1, 1, 1, 64}), random_values({1, 1, 64, 256}, 2),
                          random_values({1, 1, 1, 256}, 3)};
  check_steps(inputs, 3, [&](const Tensors& in) -> Tensors {
    const Tensor residual = reverse(in[2], channels);
    return {reverse(add(conv2d(in[0], in[1], {}), residual), channels)};
  });
}

TEST_CASE("A chain follows depthwise and grouped convolutions", "[model][plan][chain]") {
  const Tensors inputs = {random_values({1, 11, 10, 12}), random_values({1, 11, 10, 12}, 2)};
  const Tensor depthwise = random_values({3, 3, 12, 1}, 3);
  const Tensor grouped = random_values({3, 3, 6, 12}, 4);
  check_steps(inputs, 1, [&](const Tensors& in) -> Tensors {
    return {relu(add(in[1], depthwise_conv2d(in[0], depthwise, {.padding = Padding::kSame})))};
  });
  check_steps(inputs, 1, [&](const Tensors& in) -> Tensors {
    return {relu(add(in[1], conv2d(in[0], grouped, {.padding = Padding::kSame})))};
  });
}

TEST_CASE("Of two convolutions that are added the last one is followed", "[model][plan][chain]") {
  const Tensor first = random_values({1, 1, 4, 8}, 2);
  const Tensor second = random_values({3, 3, 4, 8}, 3);
  const auto f = [&](const Tensors& in) -> Tensors {
    const Tensor a = conv2d(in[0], first, {.padding = Padding::kSame});
    const Tensor b = conv2d(in[0], second, {.padding = Padding::kSame});
    return {relu(add(a, b))};
  };
  check_steps({random_values({1, 6, 6, 4})}, 2, f);
  const Graph graph = trace({random_values({1, 6, 6, 4})}, f);
  const std::vector<NodeChain> chains = find_chains(graph, true);
  REQUIRE(chains.size() == 1);
  CHECK(chains[0].producer == std::size_t{1});
  CHECK(find_chains(graph, false)[0].nodes.size() == 2);
}

TEST_CASE("Threads share what a chain follows, and the chain alone", "[model][plan][chain][parallel]") {
  const Tensor slopes = random_values({24}, 6);
  const Tensor wide = random_values({3, 3, 24, 24}, 3);
  const Tensor narrow = random_values({1, 1, 24, 24}, 4);
  const Tensor depthwise = random_values({3, 3, 24, 1}, 5);
  const Tensor matrix = random_values({1, 1, 2048, 600}, 8);
  const Tensors inputs = {random_values({1, 97, 61, 24}), random_values({1, 1, 1, 2048}, 2),
                          random_values({1, 1, 1, 600}, 9)};
  const auto f = [&](const Tensors& in) -> Tensors {
    const Tensor a = prelu(conv2d(in[0], wide, {.padding = Padding::kSame}), slopes);
    const Tensor b = relu6(add(conv2d(a, narrow, {}), a));
    const Tensor c = tanh(add(depthwise_conv2d(b, depthwise, {.padding = Padding::kSame}), b));
    return {sigmoid(mul(square(in[0]), slopes)), c, prelu(add(conv2d(in[1], matrix, {}), in[2]), in[2])};
  };
  Graph graph = trace(inputs, f);
  passes::optimize(graph);
  Plan plan(graph);
  const Tensors expected = plan.run(inputs);
  for (const int threads : {2, 3, 5}) {
    threads::workers::set_thread_count(threads);
    const Tensors got = plan.run(inputs);
    threads::workers::set_thread_count(1);
    for (std::size_t i = 0; i < got.size(); ++i) CHECK(difference(got[i], expected[i]) <= 1e-5F);
  }
}

}  // namespace tenure
