#include <algorithm>
#include <set>

#include "catch.h"
#include "core/error.h"
#include "core/memory/memory_tracked.h"
#include "import/keras/network.h"
#include "model/models.h"
#include "ops/ops.h"

/// Tests of the states that recurrent layers carry from call to call, of their dropout in training, and of
/// their errors.
namespace tenure {
namespace {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;
using test::difference;
using test::floats;
using test::layer;
using test::one_layer;
using test::random_values;
using test::TestWeight;

std::vector<TestWeight> lstm_weights(const std::string& prefix, std::uint32_t seed = 2) {
  return {{prefix + "/kernel", random_values({2, 12}, seed)},
          {prefix + "/recurrent_kernel", random_values({3, 12}, seed + 1)},
          {prefix + "/bias", random_values({12}, seed + 2)}};
}

Tensor steps_of(const Tensor& x, std::int32_t first, std::int32_t count) {
  return slice(x, {.begin = {0, first, 0}, .size = {x.dim(0), count, x.dim(2)}});
}

Tensor predict(LayersModel& model, const Tensor& x) { return model.predict(std::span(&x, 1)).at(0); }

std::size_t weight_bytes() {
  MemoryReport report;
  add_tracked_memory(report);
  report.finalize();
  return report.bytes(MemoryPart::kWeights);
}

keras::Layer& only_layer(LayersModel& model) { return *model.network()->layers().at(0); }

/// Runs a layer on ones in training, where it drops values, and returns the elements of its output. Checks
/// first that run() without training gives the result of predict().
std::vector<float> drop_in_training(const std::string& class_name, const std::string& fields,
                                    const std::vector<TestWeight>& weights, std::int32_t width) {
  LayersModel model = test::load(one_layer(class_name, text("[1,3,", width, "]"), fields), weights);
  const Tensor x = fill({.shape = {1, 3, width}, .value = 1});
  CHECK(floats(model.run(Tensors{x}, false).at(0)) == floats(predict(model, x)));
  return floats(model.run(Tensors{x}, true).at(0));
}

Tensor identity(std::int32_t size) { return eye({.rows = size, .columns = size}); }

}  // namespace

TEST_CASE("a stateful layer goes on where its last call ended", "[model][recurrent]") {
  const std::string fields = R"("units":3,"return_sequences":true)";
  const Tensor x = random_values({2, 6, 2});
  const Tensor whole = test::run_layer("LSTM", "[2,null,2]", fields, lstm_weights("layer"), x);
  LayersModel model =
      test::load(one_layer("LSTM", "[2,null,2]", fields + R"(,"stateful":true)"), lstm_weights("layer"));
  const std::size_t without_states = weight_bytes();
  for (int round = 0; round < 2; ++round) {
    const Tensor first = predict(model, steps_of(x, 0, 4));
    CHECK(weight_bytes() > without_states);
    const Tensor second = predict(model, steps_of(x, 4, 2));
    CHECK(difference(concat({first, second}, {1}), whole) < 1e-6F);
    only_layer(model).set_states({});
    CHECK(weight_bytes() == without_states);
  }
  CHECK(model.plan_count() == 0);
}

TEST_CASE("a stateful layer begins with the states it is given", "[model][recurrent]") {
  LayersModel model =
      test::load(one_layer("LSTM", "[1,2,2]", R"("units":3,"stateful":true)"), lstm_weights("layer"));
  const Tensor x = random_values({1, 2, 2});
  const Tensor state = random_values({1, 3}, 5);
  for (const Tensor& zeros : only_layer(model).states()) CHECK(floats(zeros) == std::vector<float>(3));
  const Tensor first = predict(model, x);
  CHECK(floats(only_layer(model).states().at(0)) == floats(first));
  only_layer(model).set_states(Tensors{state, state});
  CHECK(floats(only_layer(model).states().at(1)) == floats(state));
  const Tensor second = predict(model, x);
  CHECK(difference(first, second) > 1e-3F);
  only_layer(model).set_states(Tensors{state, state});
  CHECK_THROWS_MATCHES(
      only_layer(model).set_states(Tensors{state}), Error,
      MessageMatches(ContainsSubstring("Layer layer expects 2 state(s), but it received 1")));
  CHECK_THROWS_MATCHES(
      only_layer(model).set_states(Tensors{state, x}), Error,
      MessageMatches(ContainsSubstring("State 1 is incompatible with layer layer: expected shape=[1,3]")));
  // The rejected states have changed nothing.
  CHECK(difference(predict(model, x), second) == 0);
}

TEST_CASE("both halves of a stateful Bidirectional go on", "[model][recurrent]") {
  auto weights = lstm_weights("layer/forward_l");
  for (const TestWeight& weight : lstm_weights("layer/backward_l", 9)) weights.push_back(weight);
  const std::string fields = "\"layer\":" + layer("LSTM", "l", R"("units":3,"stateful":true)");
  LayersModel model = test::load(one_layer("Bidirectional", "[1,2,2]", fields), weights);
  const Tensor x = random_values({1, 2, 2});
  const Tensor first = predict(model, x);
  const Tensor second = predict(model, x);
  for (const std::int32_t half : {0, 3}) {
    const auto of_half = [&](const Tensor& y) { return slice(y, {.begin = {0, half}, .size = {1, 3}}); };
    CHECK(difference(of_half(first), of_half(second)) > 1e-3F);
  }
  const Tensor state = random_values({1, 3}, 5);
  CHECK_THROWS_AS(only_layer(model).set_states(Tensors{state, state, state, x}), Error);
  const Tensors given = {state, random_values({1, 3}, 6), random_values({1, 3}, 7), random_values({1, 3}, 8)};
  only_layer(model).set_states(given);
  const Tensors states = only_layer(model).states();
  REQUIRE(states.size() == given.size());
  for (std::size_t i = 0; i < states.size(); ++i) CHECK(difference(states[i], given[i]) == 0);
  only_layer(model).set_states({});
  CHECK(difference(predict(model, x), first) == 0);
}

TEST_CASE("a step that does not count gives the state before it", "[model][recurrent]") {
  const std::string cells = "[" + layer("SimpleRNNCell", "a", "\"units\":2") + "," +
                            layer("SimpleRNNCell", "b", "\"units\":2") + "]";
  LayersModel model = test::load(
      test::sequential(
          {layer("Masking", "mask", R"("batch_input_shape":[1,2,2])"),
           layer("RNN", "rnn", text(R"("stateful":true,"return_sequences":true,"cell":)", cells))}),
      {{"rnn/RNNCell_0/kernel", random_values({2, 2}, 1)},
       {"rnn/RNNCell_0/recurrent_kernel", random_values({2, 2}, 2)},
       {"rnn/RNNCell_0/bias", random_values({2}, 3)},
       {"rnn/RNNCell_1/kernel", random_values({2, 2}, 4)},
       {"rnn/RNNCell_1/recurrent_kernel", random_values({2, 2}, 5)},
       {"rnn/RNNCell_1/bias", random_values({2}, 6)}});
  const Tensor upper = random_values({1, 2}, 7);
  model.network()->layers().at(1)->set_states(Tensors{upper, random_values({1, 2}, 8)});
  const Tensor y = predict(model, Tensor::from({0.0F, 0.0F, 1.0F, 2.0F}, {1, 2, 2}));
  CHECK(floats(steps_of(y, 0, 1)) == floats(upper));
  CHECK(floats(steps_of(y, 1, 1)) != floats(upper));
}

TEST_CASE("recurrent layers drop the same at all steps of a call, in training alone", "[model][recurrent]") {
  constexpr std::int32_t kWidth = 60;
  const std::string plain = text(R"("use_bias":false,"activation":"linear","units":)", kWidth);
  const Tensor none = fill({.shape = {kWidth, kWidth}});
  const std::vector<TestWeight> through = {{"layer/kernel", identity(kWidth)},
                                           {"layer/recurrent_kernel", none}};
  const std::string all = R"(,"return_sequences":true)";
  const std::vector<float> inputs =
      drop_in_training("SimpleRNN", plain + all + R"(,"dropout":0.5)", through, kWidth);
  CHECK(std::set<float>(inputs.begin(), inputs.end()) == std::set<float>{0, 2});
  for (std::size_t i = kWidth; i < inputs.size(); ++i) CHECK(inputs[i] == inputs[i - kWidth]);

  // h = x + h: 1, 2, 3 without dropout; 1, 1, 1 where the state is dropped; 1, 3, 7 where it is doubled.
  const std::vector<TestWeight> adding = {{"layer/kernel", identity(kWidth)},
                                          {"layer/recurrent_kernel", identity(kWidth)}};
  const std::vector<float> states =
      drop_in_training("SimpleRNN", plain + R"(,"recurrent_dropout":0.5)", adding, kWidth);
  CHECK(std::set<float>(states.begin(), states.end()) == std::set<float>{1, 7});

  const std::string cell = layer("SimpleRNNCell", "a", plain);
  const std::string dropping = layer("SimpleRNNCell", "b", plain + R"(,"dropout":0.5)");
  const std::vector<TestWeight> stacked = {{"layer/RNNCell_0/kernel", identity(kWidth)},
                                           {"layer/RNNCell_0/recurrent_kernel", none},
                                           {"layer/RNNCell_1/kernel", identity(kWidth)},
                                           {"layer/RNNCell_1/recurrent_kernel", none}};
  const std::vector<float> upper =
      drop_in_training("RNN", text("\"cell\":[", cell, ",", dropping, "]", all), stacked, kWidth);
  CHECK(std::set<float>(upper.begin(), upper.end()) == std::set<float>{0, 2});
  for (std::size_t i = kWidth; i < upper.size(); ++i) CHECK(upper[i] == upper[i - kWidth]);
}

TEST_CASE("a cell is a layer of one step", "[model][recurrent]") {
  const Json json = Json::parse(layer("LSTMCell", "cell", "\"units\":3"), "the cell");
  const keras::LayerPtr cell = keras::make_layer(json);
  keras::CallBudget work;
  const TensorSpec input{{-1, 2}, DType::kFloat32};
  const keras::Specs specs = cell->declare({input}, work);
  REQUIRE(specs.size() == 3);
  for (const TensorSpec& spec : specs) CHECK(test::dims(spec.shape) == std::vector{-1, 3});
  std::vector<keras::NamedWeight> named;
  cell->collect_weights("layer", true, named);
  const std::vector<TestWeight> weights = lstm_weights("layer");
  for (std::size_t i = 0; i < named.size(); ++i) named[i].weight->value = weights[i].tensor;
  const Tensor x = random_values({4, 2});
  const Tensor zero = fill({.shape = {4, 3}});
  const Tensors outputs = (*cell)({{x, zero, zero}, Tensors(3), {work}}).outputs;
  const Tensor expected = test::run_layer("LSTM", "[null,1,2]", "\"units\":3", weights, expand_dims(x, {1}));
  CHECK(difference(outputs.at(0), expected) < 1e-6F);
  CHECK(difference(outputs.at(1), expected) < 1e-6F);
  CHECK_THROWS_MATCHES((*cell)({{x}, Tensors(1), {work}}), Error,
                       MessageMatches(ContainsSubstring("LSTMCell expects 3 input Tensors")));
  CHECK_THROWS_MATCHES(
      (*cell)({{x, zero, x}, Tensors(3), {work}}), Error,
      MessageMatches(ContainsSubstring("expects state 1 to have the shape [4,3], got [4,2]")));
}

TEST_CASE("What recurrent layers refuse", "[model][recurrent]") {
  const auto refuses = [](const std::string& model, const std::string& words) {
    CHECK_THROWS_MATCHES(test::load(model), Error, MessageMatches(ContainsSubstring(words)));
  };
  refuses(test::one_layer("LSTM", "[null,3,2]", R"("units":3,"stateful":true)"),
          "If an RNN is stateful, it needs to know its batch size.");
  refuses(test::one_layer("GRU", "[null,3]", "\"units\":3"),
          "expected ndim=3, found ndim=2 (layer \"layer\")");
  refuses(test::one_layer("LSTM", "[1,3,2]", R"("units":3,"dropout":"much")"),
          "layer \"layer\": field \"dropout\" must be a number, got \"much\"");
  refuses(test::one_layer("RNN", "[1,3,2]", "\"cell\":[]"), "layer \"layer\": field \"cells\" is empty");
  refuses(test::one_layer(
              "RNN", "[1,3,2]",
              "\"cell\":[" + test::layer("ConvLSTM2DCell", "c", R"("filters":1,"kernel_size":1)") + "]"),
          "It is not possible at the moment to stack convolutional cells.");
  CHECK_THROWS_MATCHES(
      test::load(test::one_layer("RNN", "[1,3,2]", "\"cell\":" + test::layer("Dense", "d", "\"units\":3"))),
      Error, MessageMatches(ContainsSubstring("Unknown layer: Dense is not a cell")));
  CHECK_THROWS_MATCHES(test::load(test::one_layer("Bidirectional", "[1,3,2]",
                                                  "\"layer\":" + test::layer("Dense", "d", "\"units\":3"))),
                       Error, MessageMatches(ContainsSubstring("must be a recurrent layer, got Dense")));
}

}  // namespace tenure
