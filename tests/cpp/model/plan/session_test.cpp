#include "model/plan/session.h"
#include "catch.h"
#include "core/error.h"
#include "core/memory/allocator.h"
#include "model/graph/tracer.h"
#include "model/models.h"
#include "ops/ops.h"

namespace tenure {
namespace {

/// Returns the graph of y = relu(x). Throws Error(kShape) unless x is a vector.
Graph trace_relu(std::span<const TensorSpec> specs) {
  check_shape(specs.size() == 1 && specs[0].shape.rank == 1, "the model takes one vector");
  GraphTracer tracer;
  const TraceGuard trace(&tracer);
  const Tensor result = relu(tracer.add_input(specs[0]));
  return std::move(tracer).finish(std::span(&result, 1));
}

}  // namespace

TEST_CASE("A session plans once for each shape and keeps a bounded number of plans", "[model][session]") {
  int traced = 0;
  Session session([&](std::span<const TensorSpec> specs) {
    ++traced;
    return trace_relu(specs);
  });
  const auto run = [&](std::int32_t size) {
    const Tensor x = test::random_values({size});
    CHECK(test::difference(session.run(std::span(&x, 1)).at(0), relu(x)) == 0);
  };
  run(3);
  run(3);
  CHECK(traced == 1);
  for (std::int32_t size = 1; size <= 20; ++size) run(size);
  CHECK(traced == 20);
  CHECK(session.plan_count() == 8);
  run(20);
  CHECK(traced == 20);
  session.trim();
  CHECK(session.plan_count() == 0);
  run(20);
  CHECK(traced == 21);
}

TEST_CASE("A session that cannot plan stays as it was", "[model][session]") {
  Session session(trace_relu);
  const Tensor x = test::random_values({3});
  session.run(std::span(&x, 1));
  const AllocatorStats before = allocator_stats();
  const Tensors two = {x, x};
  CHECK_THROWS_AS(session.run(two), Error);
  CHECK(session.plan_count() == 1);
  CHECK(allocator_stats().live == before.live);
}

TEST_CASE("A model's kernels are in memory once, whatever the batches that it predicts", "[model][weights]") {
  constexpr std::int32_t kUnits = 256;
  const std::string units = text(R"("units":)", kUnits);
  const std::string topology = test::sequential(
      {test::layer("Dense", "a", text(units, R"(,"batch_input_shape":[null,)", kUnits, "]")),
       test::layer("BatchNormalization", "n"), test::layer("Activation", "r", R"("activation":"relu")"),
       test::layer("Dense", "b", units)});
  const auto live = [] { return allocator_stats().live; };
  const auto kernel = [](int seed) { return test::random_values({kUnits, kUnits}, seed); };
  const auto vector = [](int seed) { return test::random_values({kUnits}, seed); };
  const Tensor variance = add(square(vector(6)), Tensor::scalar(0.5F));
  const std::vector<test::TestWeight> weights = {
      {"a/kernel", kernel(1)}, {"a/bias", vector(2)},        {"n/gamma", vector(3)},
      {"n/beta", vector(4)},   {"n/moving_mean", vector(5)}, {"n/moving_variance", variance},
      {"b/kernel", kernel(7)}, {"b/bias", vector(8)}};
  LayersModel model = test::load(topology, weights);
  trim_memory();
  const std::size_t before = live();
  for (const std::int32_t batch : {1, 3, 16, 17}) {
    const Tensor x = test::random_values({batch, kUnits}, batch);
    const Tensor inner = add(mat_mul(x, kernel(1)), vector(2));
    const Tensor normal = batch_norm(inner, vector(5), variance, vector(4), vector(3), {.epsilon = 1e-3F});
    const Tensor expected = add(mat_mul(relu(normal), kernel(7)), vector(8));
    CHECK(test::difference(model.predict(Tensors{x}).at(0), expected) < 1e-4);
    CHECK(model.plan_count() > 0);
    // Arenas and folded vectors, in the allocator's size classes, take less than a second kernel.
    CHECK(live() - before < kUnits * kUnits * sizeof(float) * 3 / 4);
    CHECK(model.bytes() < 2 * kUnits * kUnits * sizeof(float) + 100'000);
  }
  // The weights are bit-identical.
  CHECK(test::difference(model.weights()[0].tensor, kernel(1)) == 0);
  CHECK(test::difference(model.predict(Tensors{test::random_values({2, kUnits})}).at(0),
                         model.run(Tensors{test::random_values({2, kUnits})}, false).at(0)) < 1e-4);
}

}  // namespace tenure
