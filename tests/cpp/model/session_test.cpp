#include "model/session.h"
#include "catch.h"
#include "core/allocator.h"
#include "core/error.h"
#include "model/tracer.h"
#include "models.h"
#include "ops/ops.h"

namespace tenure {
namespace {

/// y = relu(x), for vectors.
Graph trace_relu(std::span<const TensorSpec> specs) {
  check_shape(specs.size() == 1 && specs[0].shape.rank == 1, "the model takes one vector");
  Tracer tracer;
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
    const Tensor x = test::some_values({size});
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
  const Tensor x = test::some_values({3});
  session.run(std::span(&x, 1));
  const AllocatorStats before = allocator_stats();
  const Tensors two = {x, x};
  CHECK_THROWS_AS(session.run(two), Error);
  CHECK(session.plan_count() == 1);
  CHECK(allocator_stats().live == before.live);
}

}  // namespace tenure
