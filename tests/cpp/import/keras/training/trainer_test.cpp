#include "import/keras/training/trainer.h"

#include "catch.h"
#include "core/error.h"
#include "core/memory/allocator.h"
#include "model/models.h"
#include "model/training.h"
#include "ops/ops.h"

namespace tenure {
namespace {

using test::kMeanSquares;
using test::one_layer;
using test::random_values;
using test::some_weights;
using test::TestWeight;
using test::trainable_params;

TEST_CASE("batch norm moves its averages, and normalizes by the batch", "[trainer]") {
  const std::string topology = one_layer("BatchNormalization", "[null,1]", R"("momentum":0.75,"epsilon":0)");
  LayersModel model = test::load(topology, {{"layer/gamma", Tensor::from({2.0F}, {1})},
                                            {"layer/beta", Tensor::from({1.0F}, {1})},
                                            {"layer/moving_mean", Tensor::from({4.0F}, {1})},
                                            {"layer/moving_variance", Tensor::from({8.0F}, {1})}});
  const Batch batch{{Tensor::from({1.0F, 5.0F}, {2, 1})}, {Tensor::from({0.0F, 0.0F}, {2, 1})}, {}};
  // The mean is 3 and the variance 4, so that the outputs are -1 and 3.
  CHECK(train_step(model, kMeanSquares, batch, {}, {}).data<float>()[0] == 5);
  const std::vector<WeightInfo> weights = model.weights();
  CHECK(test::floats(weights[2].tensor) == std::vector{3.75F});
  CHECK(test::floats(weights[3].tensor) == std::vector{7.0F});
}

TEST_CASE("dropout drops in training alone, and another part each time", "[trainer]") {
  const std::string topology = one_layer("Dropout", "[null,1000]", R"("rate":0.25,"seed":3)");
  LayersModel model = test::load(topology);
  const Tensor x = fill({.shape = {1, 1000}, .value = 3});
  CHECK(test::floats(model.predict(Tensors{x}).at(0)) == test::floats(x));
  const std::vector<float> first = test::floats(model.run(Tensors{x}, true).at(0));
  const std::vector<float> second = test::floats(model.run(Tensors{x}, true).at(0));
  CHECK(first != second);
  const auto dropped = std::count(first.begin(), first.end(), 0.0F);
  CHECK(std::abs(dropped - 250) < 60);
  CHECK(std::count(first.begin(), first.end(), 4.0F) == 1000 - dropped);
  LayersModel again = test::load(topology);
  CHECK(test::floats(again.run(Tensors{x}, true).at(0)) == first);
}

TEST_CASE("a step that fails leaves the weights and the memory as they were", "[trainer]") {
  const std::string topology = one_layer("Dense", "[null,3]", R"("units":2)");
  const std::vector<TestWeight> weights = some_weights(topology);
  LayersModel model = test::load(topology, weights);
  std::vector<TrainableParam> moving = trainable_params(model);
  const UpdateAttrs step{.optimizer = Optimizer::kSgd, .learning_rate = 1};
  const Tensor x = random_values({4, 3});
  const std::size_t before = allocator_stats().blocks;
  CHECK_THROWS_AS(train_step(model, kMeanSquares, {{x}, {}, {}}, step, moving), Error);
  CHECK_THROWS_AS(train_step(model, {{{Op::kCount}}, {}}, {{x}, {x}, {}}, step, moving), Error);
  CHECK_THROWS_AS(train_step(model, kMeanSquares, {{x}, {random_values({5, 7})}, {}}, step, moving), Error);
  const UpdateAttrs adam{.optimizer = Optimizer::kAdam};
  CHECK_THROWS_AS(train_step(model, kMeanSquares, {{x}, {random_values({4, 2})}, {}}, adam, moving), Error);
  CHECK(allocator_stats().blocks == before);
  CHECK(test::difference(model.weights()[0].tensor, weights[0].tensor) == 0);
}

}  // namespace
}  // namespace tenure
