#include "model/trainer.h"

#include "catch.h"
#include "core/allocator.h"
#include "core/error.h"
#include "model/json.h"
#include "model/keras/network.h"
#include "models.h"
#include "ops/ops.h"

namespace tenure {
namespace {

using test::layer;
using test::sequential;
using test::some_values;
using test::TestWeight;

const Objective kMeanSquares{{{Op::metric_mean_squared_error}}, {}};

/// Values for all weights of a model, by their names.
std::vector<TestWeight> some_weights(const std::string& topology) {
  const Json json = Json::parse(topology, "the model");
  keras::Network network(json);
  keras::Specs given;
  for (const keras::NetworkInput& input : network.inputs()) given.push_back({input.shape, input.dtype});
  keras::WorkLimit work;
  network.declare_all(given, work);
  std::vector<keras::NamedWeight> named;
  network.collect_weights("", true, named);
  std::vector<TestWeight> weights;
  for (const keras::NamedWeight& one : named) {
    const auto seed = static_cast<std::uint32_t>(weights.size() + 1);
    const Tensor values = some_values(one.weight->value.shape(), seed);
    const bool is_variance = one.name.ends_with("variance");
    weights.push_back({one.name, is_variance ? add(square(values), Tensor::scalar(0.5F)) : values});
  }
  return weights;
}

/// What trains of a model, without slots.
std::vector<Moving> moving_of(LayersModel& model) {
  std::vector<keras::NamedWeight> named;
  model.network()->collect_weights("", true, named);
  std::vector<Moving> moving;
  for (const keras::NamedWeight& one : named) {
    if (one.trainable) moving.push_back({one.weight, {}});
  }
  return moving;
}

float loss_of(const std::string& topology, const std::vector<TestWeight>& weights, const Batch& batch) {
  LayersModel model = test::load(topology, weights);
  return train_step(model, kMeanSquares, batch, {}, {}).at(0);
}

/// Compares each weight's gradient, which a step of length 1 takes off it, with what small steps find.
void check_gradients(const std::string& topology, const Batch& batch) {
  const std::vector<TestWeight> weights = some_weights(topology);
  LayersModel model = test::load(topology, weights);
  std::vector<Moving> moving = moving_of(model);
  const UpdateAttrs step{.optimizer = Optimizer::kSgd, .learning_rate = 1};
  train_step(model, kMeanSquares, batch, step, moving);
  const std::vector<WeightInfo> after = model.weights();
  for (std::size_t k = 0; k < weights.size(); ++k) {
    const auto found = std::find_if(after.begin(), after.end(),
                                    [&](const WeightInfo& info) { return info.name == weights[k].name; });
    REQUIRE(found != after.end());
    if (!found->trainable) continue;
    for (std::size_t i = 0; i < weights[k].tensor.elements(); i += 1 + weights[k].tensor.elements() / 7) {
      constexpr float kStep = 1.0F / 128;
      const auto moved = [&](float by) {
        std::vector<TestWeight> there = weights;
        there[k].tensor = Tensor::from(weights[k].tensor.values<float>(), weights[k].tensor.shape());
        there[k].tensor.mutable_data<float>()[i] += by;
        return loss_of(topology, there, batch);
      };
      const float expected = (moved(kStep) - moved(-kStep)) / (2 * kStep);
      const float got = weights[k].tensor.data<float>()[i] - found->tensor.data<float>()[i];
      INFO(weights[k].name << " element " << i << ": " << got << ", by steps " << expected);
      CHECK(std::abs(got - expected) <= 0.02F * (1 + std::abs(expected)));
    }
  }
}

struct LayerCase {
  const char* name;
  std::string topology;
  Shape input;
};

std::string one(const std::string& class_name, const std::string& shape, const std::string& fields) {
  return test::one_layer(class_name, shape, fields);
}

const LayerCase kLayers[] = {
    {"Dense", one("Dense", "[null,3]", R"("units":4,"activation":"tanh")"), {5, 3}},
    {"Dense of rank 3", one("Dense", "[null,2,3]", R"("units":4,"activation":"softmax")"), {5, 2, 3}},
    {"Conv1D",
     one("Conv1D", "[null,6,2]", R"("filters":3,"kernel_size":[3],"activation":"tanh")"),
     {2, 6, 2}},
    {"Conv2D",
     one("Conv2D", "[null,5,6,2]", R"("filters":3,"kernel_size":[3,2],"strides":[2,1],"padding":"same")"),
     {2, 5, 6, 2}},
    {"Conv2DTranspose",
     one("Conv2DTranspose", "[null,3,3,2]", R"("filters":3,"kernel_size":[3,3],"strides":[2,2])"),
     {2, 3, 3, 2}},
    {"DepthwiseConv2D",
     one("DepthwiseConv2D", "[null,5,5,2]", R"("kernel_size":[3,3],"depth_multiplier":2)"),
     {2, 5, 5, 2}},
    {"SeparableConv2D",
     one("SeparableConv2D", "[null,5,5,2]", R"("filters":3,"kernel_size":[3,3],"activation":"sigmoid")"),
     {2, 5, 5, 2}},
    {"BatchNormalization", one("BatchNormalization", "[null,3,2]", ""), {4, 3, 2}},
    {"BatchNormalization of axis 1", one("BatchNormalization", "[null,3,2]", R"("axis":1)"), {4, 3, 2}},
    {"LayerNormalization", one("LayerNormalization", "[null,3,4]", ""), {2, 3, 4}},
    {"PReLU", one("PReLU", "[null,3,4]", ""), {2, 3, 4}},
    {"SimpleRNN", one("SimpleRNN", "[null,4,3]", R"("units":2)"), {3, 4, 3}},
    {"LSTM", one("LSTM", "[null,4,3]", R"("units":2,"return_sequences":true)"), {3, 4, 3}},
    {"GRU", one("GRU", "[null,4,3]", R"("units":2,"recurrent_activation":"sigmoid")"), {3, 4, 3}},
    {"GRU with reset after",
     one("GRU", "[null,4,3]", R"("units":2,"reset_after":true,"recurrent_activation":"sigmoid")"),
     {3, 4, 3}},
    {"Bidirectional LSTM",
     one("Bidirectional", "[null,4,3]",
         text(R"("merge_mode":"concat","layer":)",
              layer("LSTM", "inner", R"("units":2,"return_sequences":true)"))),
     {3, 4, 3}},
    {"TimeDistributed Dense",
     one("TimeDistributed", "[null,4,3]", text("\"layer\":", layer("Dense", "inner", R"("units":2)"))),
     {3, 4, 3}},
    {"Masking before LSTM",
     sequential({layer("Masking", "mask", R"("batch_input_shape":[null,4,3])"),
                 layer("LSTM", "lstm", R"("units":2)")}),
     {3, 4, 3}},
    {"cells in a stack",
     one("RNN", "[null,4,3]",
         text(R"("return_sequences":true,"cell":[)", layer("LSTMCell", "a", R"("units":3)"), ",",
              layer("GRUCell", "b", R"("units":2)"), ",", layer("SimpleRNNCell", "c", R"("units":2)"), "]")),
     {3, 4, 3}},
    {"Masking before cells in a stack",
     sequential({layer("Masking", "mask", R"("batch_input_shape":[null,4,3])"),
                 layer("RNN", "rnn",
                       text(R"("cell":[)", layer("GRUCell", "a", R"("units":3)"), ",",
                            layer("LSTMCell", "b", R"("units":2)"), "]"))}),
     {3, 4, 3}},
    {"ConvLSTM2D",
     one("ConvLSTM2D", "[null,3,4,4,2]", R"("filters":2,"kernel_size":[2,3],"return_sequences":true)"),
     {2, 3, 4, 4, 2}},
    {"ConvLSTM2D with strides",
     one("ConvLSTM2D", "[null,3,4,4,2]", R"("filters":2,"kernel_size":3,"strides":2,"padding":"same")"),
     {2, 3, 4, 4, 2}},
    {"Conv3D",
     one("Conv3D", "[null,4,4,3,2]", R"("filters":2,"kernel_size":[2,3,2],"activation":"tanh")"),
     {2, 4, 4, 3, 2}},
    {"Conv3D with strides",
     one("Conv3D", "[null,4,4,3,2]", R"("filters":2,"kernel_size":3,"strides":2,"padding":"same")"),
     {2, 4, 4, 3, 2}},
    {"Conv3DTranspose",
     one("Conv3DTranspose", "[null,2,3,2,2]", R"("filters":2,"kernel_size":[2,3,2],"strides":2)"),
     {2, 2, 3, 2, 2}},
    {"MaxPooling3D",
     sequential(
         {layer("Conv3D", "conv",
                R"("filters":2,"kernel_size":2,"activation":"tanh","batch_input_shape":[null,3,3,3,1])"),
          layer("MaxPooling3D", "max", ""), layer("Flatten", "flat")}),
     {2, 3, 3, 3, 1}},
    {"AveragePooling3D",
     sequential(
         {layer("Conv3D", "conv",
                R"("filters":2,"kernel_size":2,"activation":"tanh","batch_input_shape":[null,4,4,4,1])"),
          layer("AveragePooling3D", "average", R"("pool_size":2,"strides":1,"padding":"same")")}),
     {2, 4, 4, 4, 1}},
    {"images made ready behind a convolution",
     sequential({layer("Conv2D", "conv", R"("filters":2,"kernel_size":1,"batch_input_shape":[null,6,7,1])"),
                 layer("CenterCrop", "crop", R"("height":4,"width":5)"),
                 layer("Resizing", "resize", R"("height":3,"width":8)"),
                 layer("Rescaling", "scale", R"("scale":0.5,"offset":1)"), layer("Flatten", "flat"),
                 layer("Dense", "dense", R"("units":2)")}),
     {2, 6, 7, 1}},
    {"pools and flatten",
     sequential(
         {layer("Conv2D", "conv",
                R"("filters":2,"kernel_size":[3,3],"activation":"tanh","batch_input_shape":[null,8,8,1])"),
          layer("MaxPooling2D", "max", ""),
          layer("AveragePooling2D", "average", R"("pool_size":[3,3],"strides":[1,1])"),
          layer("Flatten", "flat"), layer("Dense", "dense", R"("units":2)")}),
     {2, 8, 8, 1}},
};

TEST_CASE("the gradients of layers are what small steps find", "[trainer]") {
  for (const LayerCase& row : kLayers) {
    DYNAMIC_SECTION(row.name) {
      const std::size_t before = allocator_stats().blocks;
      {
        const Tensor x = some_values(row.input, 21);
        LayersModel model = test::load(row.topology, some_weights(row.topology));
        const Shape output = model.predict(Tensors{x}).at(0).shape();
        check_gradients(row.topology, {{x}, {some_values(output, 22)}, {}});
      }
      CHECK(allocator_stats().blocks == before);
    }
  }
}

TEST_CASE("an embedding trains the rows that are looked up", "[trainer]") {
  const std::string topology =
      sequential({layer("Embedding", "e", R"("input_dim":5,"output_dim":2,"batch_input_shape":[null,3])"),
                  layer("Flatten", "f")});
  check_gradients(topology, {{Tensor::from({1, 2, 2, 0, 1, 2}, {2, 3})}, {some_values({2, 6}, 3)}, {}});
}

TEST_CASE("batch norm moves its averages, and normalizes by the batch", "[trainer]") {
  const std::string topology = one("BatchNormalization", "[null,1]", R"("momentum":0.75,"epsilon":0)");
  LayersModel model = test::load(topology, {{"layer/gamma", Tensor::from({2.0F}, {1})},
                                            {"layer/beta", Tensor::from({1.0F}, {1})},
                                            {"layer/moving_mean", Tensor::from({4.0F}, {1})},
                                            {"layer/moving_variance", Tensor::from({8.0F}, {1})}});
  const Batch batch{{Tensor::from({1.0F, 5.0F}, {2, 1})}, {Tensor::from({0.0F, 0.0F}, {2, 1})}, {}};
  // The mean is 3 and the variance 4, so that the outputs are -1 and 3.
  CHECK(train_step(model, kMeanSquares, batch, {}, {}).at(0) == 5);
  const std::vector<WeightInfo> weights = model.weights();
  CHECK(test::floats(weights[2].tensor) == std::vector{3.75F});
  CHECK(test::floats(weights[3].tensor) == std::vector{7.0F});
}

TEST_CASE("dropout drops in training alone, and another part each time", "[trainer]") {
  const std::string topology = one("Dropout", "[null,1000]", R"("rate":0.25,"seed":3)");
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
  const std::string topology = one("Dense", "[null,3]", R"("units":2)");
  const std::vector<TestWeight> weights = some_weights(topology);
  LayersModel model = test::load(topology, weights);
  std::vector<Moving> moving = moving_of(model);
  const UpdateAttrs step{.optimizer = Optimizer::kSgd, .learning_rate = 1};
  const Tensor x = some_values({4, 3});
  const std::size_t before = allocator_stats().blocks;
  CHECK_THROWS_AS(train_step(model, kMeanSquares, {{x}, {}, {}}, step, moving), Error);
  CHECK_THROWS_AS(train_step(model, {{{Op::kCount}}, {}}, {{x}, {x}, {}}, step, moving), Error);
  CHECK_THROWS_AS(train_step(model, kMeanSquares, {{x}, {some_values({5, 7})}, {}}, step, moving), Error);
  const UpdateAttrs adam{.optimizer = Optimizer::kAdam};
  CHECK_THROWS_AS(train_step(model, kMeanSquares, {{x}, {some_values({4, 2})}, {}}, adam, moving), Error);
  CHECK(allocator_stats().blocks == before);
  CHECK(test::difference(model.weights()[0].tensor, weights[0].tensor) == 0);
}

}  // namespace
}  // namespace tenure
