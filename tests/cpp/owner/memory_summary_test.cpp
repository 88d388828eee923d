#include "owner/memory_summary.h"

#include "catch.h"
#include "core/memory/allocator.h"
#include "model/models.h"

using namespace tenure;

namespace {

const std::string kModel = test::sequential(
    {test::layer("Dense", "a", R"("units":64,"activation":"relu","batch_input_shape":[null,32])"),
     test::layer("BatchNormalization", "bn"), test::layer("Dense", "b", R"("units":3)")});

std::vector<test::TestWeight> weights() {
  return {{"a/kernel", test::random_values({32, 64}, 1)},
          {"a/bias", test::random_values({64}, 2)},
          {"bn/gamma", test::random_values({64}, 3)},
          {"bn/beta", test::random_values({64}, 4)},
          {"bn/moving_mean", test::random_values({64}, 5)},
          {"bn/moving_variance", Tensor::from(std::span<const float>(std::vector<float>(64, 0.5F)), {64})},
          {"b/kernel", test::random_values({64, 3}, 6)},
          {"b/bias", test::random_values({3}, 7)}};
}

/// Returns the bytes that a buffer takes from the allocator.
std::size_t taken(std::size_t bytes) {
  return allocated_size(sizeof(Storage)) + allocated_size(bytes + Storage::kSlack);
}

std::size_t part(const Ownership& owner, MemoryPart part) {
  return summarize_memory(owner).report.bytes(part);
}

/// A pin of a storage, like that of a read in flight.
struct Pin final : MemoryTracked {
  explicit Pin(Tensor tensor) : tensor(std::move(tensor)) {}
  void add_to(MemoryReport& report) const override {
    report.add(MemoryPart::kPinned, tensor.storage().get());
  }
  Tensor tensor;
};

}  // namespace

TEST_CASE("every part says what it takes, and together they are all there is", "[memory]") {
  Ownership owner;
  const std::size_t elsewhere = summarize_memory(owner).scratch();
  CHECK(part(owner, MemoryPart::kTensors) == 0);

  const Tensor shared = test::random_values({100});
  owner.add(shared);
  CHECK(part(owner, MemoryPart::kTensors) == taken(400));
  const Handle clone = owner.add(shared.with_shape({10, 10}));
  CHECK(part(owner, MemoryPart::kTensors) == 0);
  CHECK(part(owner, MemoryPart::kViews) == taken(400));
  owner.dispose(clone);
  owner.add(test::random_values({7}));
  CHECK(part(owner, MemoryPart::kTensors) == taken(400) + taken(28));
  CHECK(part(owner, MemoryPart::kViews) == 0);
  CHECK(summarize_memory(owner).scratch() == elsewhere);
}

TEST_CASE("what only a pipeline holds is the pipeline's, with what is opened inside", "[memory]") {
  Ownership owner;
  const ScopeId pipeline = owner.make_scope(0, "pipeline");
  owner.mark_in_pipeline(pipeline);
  const ScopeId inside = owner.make_scope(pipeline, "map");
  const auto add_to = [&](ScopeId scope, const Tensor& tensor) {
    owner.enter(scope);
    const Handle handle = owner.add(tensor);
    owner.leave(0);
    return handle;
  };
  const Tensor value = test::random_values({100});
  add_to(pipeline, value);
  add_to(inside, value.with_shape({10, 10}));
  add_to(inside, test::random_values({7}));
  CHECK(part(owner, MemoryPart::kPipelines) == taken(400) + taken(28));
  CHECK(part(owner, MemoryPart::kTensors) + part(owner, MemoryPart::kViews) == 0);
  const Handle mine = owner.add(value);
  CHECK(part(owner, MemoryPart::kPipelines) == taken(28));
  CHECK(part(owner, MemoryPart::kViews) == taken(400));
  owner.close_scope(pipeline);
  CHECK(part(owner, MemoryPart::kPipelines) == 0);
  CHECK(part(owner, MemoryPart::kTensors) == taken(400));
  owner.dispose(mine);
}

TEST_CASE("a read pins what nobody else holds", "[memory]") {
  Ownership owner;
  const Handle handle = owner.add(test::random_values({100}));
  const Pin pin(owner.get(handle));
  CHECK(part(owner, MemoryPart::kTensors) == taken(400));
  CHECK(part(owner, MemoryPart::kPinned) == 0);
  owner.dispose(handle);
  CHECK(part(owner, MemoryPart::kTensors) == 0);
  CHECK(part(owner, MemoryPart::kPinned) == taken(400));
}

TEST_CASE("a model's memory is weights and working memory, and all of it goes with it", "[memory]") {
  Ownership owner;
  const std::size_t before = summarize_memory(owner).heap_used() - allocator_stats().pooled;
  const std::size_t elsewhere = summarize_memory(owner).scratch();
  const std::size_t weights_before = part(owner, MemoryPart::kWeights);
  {
    LayersModel model = test::load(kModel, weights());
    std::size_t expected = 0;
    for (const WeightInfo& weight : model.weights()) expected += taken(weight.tensor.bytes());
    CHECK(part(owner, MemoryPart::kWeights) == weights_before + expected);
    CHECK(summarize_memory(owner).scratch() == elsewhere);

    for (const WeightInfo& weight : model.weights()) owner.add_retained(weight.tensor);
    CHECK(part(owner, MemoryPart::kTensors) + part(owner, MemoryPart::kViews) == 0);

    owner.add(model.predict(Tensors{test::random_values({16, 32})}).at(0));
    // The batch norm is folded into new constants, and the kernels are packed.
    CHECK(part(owner, MemoryPart::kWeights) > weights_before + expected);
    CHECK(summarize_memory(owner).scratch() > elsewhere);
    CHECK(part(owner, MemoryPart::kTensors) == taken(16 * 3 * 4));

    trim_memory();
    CHECK(model.plan_count() == 0);
    // The first kernel stays as the panels that were made of it.
    CHECK(part(owner, MemoryPart::kWeights) == weights_before + expected + allocated_size(sizeof(Storage)));
    CHECK(summarize_memory(owner).scratch() == elsewhere);
  }
  owner = Ownership();
  CHECK(summarize_memory(owner).heap_used() - allocator_stats().pooled == before);
}
