#include "core/run/fault_injection.h"

#include "catch.h"
#include "core/error.h"
#include "core/memory/allocator.h"
#include "core/memory/memory_tracked.h"
#include "count_failures.h"
#include "models.h"

#ifdef TENURE_DEBUG

using namespace tenure;
using test::count_failures;
using test::difference;
using test::random_values;

namespace {

const std::string kModel = test::sequential(
    {test::layer("Dense", "a", R"("units":32,"activation":"relu","batch_input_shape":[null,64])"),
     test::layer("Dense", "b", R"("units":3,"activation":"softmax")")});

std::vector<test::TestWeight> weights() {
  return {{"a/kernel", random_values({64, 32}, 1)},
          {"a/bias", random_values({32}, 2)},
          {"b/kernel", random_values({32, 3}, 3)},
          {"b/bias", random_values({3}, 4)}};
}

Tensor predict(LayersModel& model) { return model.predict(Tensors{random_values({5, 64}, 9)}).at(0); }

}  // namespace

TEST_CASE("whatever fails while a model is loaded, nothing of it is left", "[fault_injection]") {
  const std::string specs = test::weight_specs_json(weights());
  const std::vector<std::byte> bytes = test::weight_bytes(weights());
  const std::size_t before = allocator_stats().live;
  const int failures = count_failures(fault_injection::fail_allocation, [&] {
    bool failed = false;
    try {
      LayersModel::load(kModel, specs, bytes);
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::kOutOfMemory);
      failed = true;
    }
    CHECK(allocator_stats().live == before);
    return failed;
  });
  CHECK(failures >= 8);
}

TEST_CASE("a plan that cannot be prepared is made by the first prediction", "[fault_injection]") {
  LayersModel sound = test::load(kModel, weights());
  const Tensor expected = predict(sound);
  const std::size_t before = allocator_stats().live;
  for (int after = 0, plans = 0; plans == 0; ++after) {
    {
      LayersModel model = test::load(kModel, weights());
      fault_injection::fail_allocation(after);
      try {
        model.prepare();
      } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::kOutOfMemory);
      }
      fault_injection::fail_allocation(-1);
      plans = static_cast<int>(model.plan_count());
      CHECK((plans == 0 || after >= 3));
      CHECK(difference(predict(model), expected) == 0);
    }
    CHECK(allocator_stats().live == before);
  }
}

TEST_CASE("whatever fails in a prediction, the next one is right", "[fault_injection]") {
  LayersModel model = test::load(kModel, weights());
  const Tensor expected = predict(model);
  const Tensor x = random_values({5, 64}, 9);
  for (const bool planned : {true, false}) {
    for (auto* fail : {fault_injection::fail_allocation, fault_injection::fail_op}) {
      const int failures = count_failures(fail, [&] {
        if (!planned) trim_memory();
        const std::size_t before = allocator_stats().live;
        bool failed = false;
        try {
          model.predict(std::span(&x, 1));
        } catch (const Error&) {
          failed = true;
        }
        if (!planned) trim_memory();
        CHECK(allocator_stats().live == before);
        const int plans = static_cast<int>(model.plan_count());
        CHECK(plans == (planned ? 1 : 0));
        return failed;
      });
      CHECK(failures >= 2);
      CHECK(difference(predict(model), expected) == 0);
    }
  }
}

TEST_CASE("a plan that does not fit the budget beside others takes their place", "[fault_injection]") {
  LayersModel model = test::load(kModel, weights());
  const auto peak_of = [&](std::int32_t batch) {
    const Tensor x = random_values({batch, 64});
    return model.predict(std::span(&x, 1)).at(0).bytes();
  };
  peak_of(400);
  const std::size_t with_one = allocator_stats().live;
  trim_memory();
  set_memory_budget(with_one + 400 * 64 * 4 + 32 * 1024);
  for (const std::int32_t batch : {400, 401, 402, 403}) CHECK(peak_of(batch) == batch * 3U * 4U);
  CHECK(model.plan_count() < 4);
  CHECK_THROWS_AS(peak_of(4000), Error);
  CHECK(peak_of(400) == 400 * 3 * 4);
  set_memory_budget(kNoBudget);
}

#endif
