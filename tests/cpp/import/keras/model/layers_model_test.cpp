#include "import/keras/model/layers_model.h"

#include <filesystem>
#include <fstream>

#include "catch.h"
#include "core/error.h"
#include "core/memory/allocator.h"
#include "core/run/dispatch.h"
#include "model/models.h"

namespace tenure {
namespace {

using Catch::Matchers::Message;
using test::difference;
using test::random_values;

const std::string kTwoLayers =
    test::sequential({test::layer("Dense", "dense_Dense1",
                                  R"("units":10,"activation":"sigmoid","batch_input_shape":[null,4])"),
                      test::layer("BatchNormalization", "bn"),
                      test::layer("Dense", "dense_Dense2", R"("units":3,"trainable":false)")});

std::vector<test::TestWeight> two_layers_weights() {
  return {{"dense_Dense1/kernel", random_values({4, 10}, 1)},
          {"dense_Dense1/bias", random_values({10}, 2)},
          {"bn/gamma", random_values({10}, 3)},
          {"bn/beta", random_values({10}, 4)},
          {"bn/moving_mean", random_values({10}, 5)},
          {"bn/moving_variance", Tensor::from(std::span<const float>(std::vector<float>(10, 0.5F)), {10})},
          {"dense_Dense2/kernel", random_values({10, 3}, 6)},
          {"dense_Dense2/bias", random_values({3}, 7)}};
}

Tensors predict(LayersModel& model, const Shape& shape) {
  return model.predict(Tensors{random_values(shape, 9)});
}

}  // namespace

TEST_CASE("A model describes itself", "[model]") {
  const LayersModel model = test::load(kTwoLayers, two_layers_weights());
  CHECK(model.name() == "model");
  REQUIRE(model.inputs().size() == 1);
  CHECK(model.inputs()[0].name == "dense_Dense1_input");
  CHECK(test::dims(model.inputs()[0].shape) == std::vector{-1, 4});
  REQUIRE(model.outputs().size() == 1);
  CHECK(model.outputs()[0].name == "dense_Dense2");
  CHECK(test::dims(model.outputs()[0].shape) == std::vector{-1, 3});
  const auto layers = model.layers();
  REQUIRE(layers.size() == 3);
  CHECK(layers[1].class_name == "BatchNormalization");
  CHECK(layers[1].parameters == 40);
  CHECK(test::dims(layers[0].output_shapes[0][0]) == std::vector{-1, 10});
  std::string names;
  for (const WeightInfo& weight : model.weights()) names += weight.name + (weight.trainable ? " " : "! ");
  CHECK(names ==
        "dense_Dense1/kernel dense_Dense1/bias bn/gamma bn/beta bn/moving_mean! bn/moving_variance! "
        "dense_Dense2/kernel! "
        "dense_Dense2/bias! ");
  CHECK(model.bytes() == (40 + 10 + 40 + 30 + 3) * sizeof(float));
}

TEST_CASE("The summary of a chain of layers", "[model]") {
  const LayersModel model = test::load(kTwoLayers, two_layers_weights());
  CHECK(model.summary() ==
        "__________________________________________________________________________________________\n"
        "Layer (type)                Input Shape               Output shape              Param #   \n"
        "==========================================================================================\n"
        "dense_Dense1 (Dense)        [[null,4]]                [null,10]                 50        \n"
        "__________________________________________________________________________________________\n"
        "bn (BatchNormalization)     [[null,10]]               [null,10]                 40        \n"
        "__________________________________________________________________________________________\n"
        "dense_Dense2 (Dense)        [[null,10]]               [null,3]                  33        \n"
        "==========================================================================================\n"
        "Total params: 123\n"
        "Trainable params: 70\n"
        "Non-trainable params: 53\n"
        "__________________________________________________________________________________________\n");
}

TEST_CASE("The summary of a graph of layers", "[model]") {
  const LayersModel model = test::load(
      R"({"class_name":"Model","config":{"name":"m","layers":[
          {"class_name":"InputLayer","name":"a","config":{"name":"a","batch_input_shape":[null,2]},"inbound_nodes":[]},
          {"class_name":"InputLayer","name":"b","config":{"name":"b","batch_input_shape":[null,2]},"inbound_nodes":[]},
          {"class_name":"Dense","name":"d","config":{"name":"d","units":2},"inbound_nodes":[[["a",0,0,{}]],[["b",0,0,{}]]]},
          {"class_name":"Concatenate","name":"c","config":{"name":"c"},"inbound_nodes":[[["d",0,0,{}],["d",1,0,{}]]]}],
          "input_layers":[["a",0,0],["b",0,0]],"output_layers":[["c",0,0]]}})",
      {{"d/kernel", random_values({2, 2})}, {"d/bias", random_values({2})}});
  CHECK(model.summary(80) ==
        "________________________________________________________________________________\n"
        "Layer (type)       Input Shape        Output shape      Param # Receives inputs \n"
        "================================================================================\n"
        "a (InputLayer)     [[null,2]]         [null,2]          0                       \n"
        "________________________________________________________________________________\n"
        "b (InputLayer)     [[null,2]]         [null,2]          0                       \n"
        "________________________________________________________________________________\n"
        "d (Dense)          [[null,2]],[[null, [null,2]          6       a[0][0]         \n"
        "                                                                b[0][0]         \n"
        "________________________________________________________________________________\n"
        "c (Concatenate)    [[null,2],[null,2] [null,4]          0       d[0][0]         \n"
        "                                                                d[1][0]         \n"
        "================================================================================\n"
        "Total params: 6\n"
        "Trainable params: 6\n"
        "Non-trainable params: 0\n"
        "________________________________________________________________________________\n");
}

TEST_CASE("Wrong inputs are refused in TensorFlow.js's words", "[model]") {
  LayersModel model = test::load(kTwoLayers, two_layers_weights());
  CHECK_THROWS_MATCHES(
      predict(model, {1, 5}), Error,
      Message("Error when checking : expected dense_Dense1_input to have shape [null,4] but got array "
              "with shape [1,5]."));
  CHECK_THROWS_MATCHES(
      predict(model, {1, 4, 1}), Error,
      Message("Error when checking : expected dense_Dense1_input to have 2 dimension(s), but got array "
              "with shape [1,4,1]"));
  CHECK_THROWS_MATCHES(
      model.predict(Tensors{}), Error,
      Message("Error when checking model : the Array of Tensors that you are passing to your model is not "
              "the size the the model expected. Expected to see 1 Tensor(s), but instead got 0 "
              "Tensors(s)."));
  CHECK(model.plan_count() == 0);
  CHECK(test::dims(predict(model, {2, 4})[0].shape()) == std::vector{2, 3});
}

TEST_CASE("Integers become floats, and a vector a column", "[model]") {
  LayersModel model = test::load(test::one_layer("Dense", "[null,1]", R"("units":1,"use_bias":false)"),
                                 {{"layer/kernel", Tensor::from({2.0F}, {1, 1})}});
  const Tensor ints = Tensor::from({1, 2, 3}, {3});
  const Tensor y = model.predict(std::span(&ints, 1))[0];
  CHECK(test::dims(y.shape()) == std::vector{3, 1});
  CHECK(test::floats(y) == std::vector<float>{2, 4, 6});
}

TEST_CASE("Plans are kept for the shapes used last", "[model]") {
  const std::size_t before = allocator_stats().live;
  {
    LayersModel model = test::load(kTwoLayers, two_layers_weights());
    const Tensor first = predict(model, {1, 4})[0];
    CHECK(model.plan_count() == 1);
    CHECK(difference(predict(model, {1, 4})[0], first) == 0);
    CHECK(model.plan_count() == 1);
    predict(model, {2, 4});
    CHECK(model.plan_count() == 2);
    for (int batch = 3; batch < 40; ++batch) predict(model, {batch, 4});
    CHECK(model.plan_count() == 8);
    CHECK(difference(predict(model, {1, 4})[0], first) == 0);
    const Tensor many = predict(model, {5, 4})[0];
    CHECK(test::near({many.data<float>(), many.data<float>() + 3}, test::floats(first)));
    CHECK(test::dims(predict(model, {0, 4})[0].shape()) == std::vector{0, 3});
  }
  CHECK(allocator_stats().live == before);
}

TEST_CASE("A prepared model has the plan of a batch of one", "[model]") {
  const std::size_t before = allocator_stats().live;
  {
    LayersModel plain = test::load(kTwoLayers, two_layers_weights());
    LayersModel model = test::load(kTwoLayers, two_layers_weights());
    model.prepare();
    model.prepare();
    CHECK(model.plan_count() == 1);
    CHECK(difference(predict(model, {1, 4})[0], predict(plain, {1, 4})[0]) == 0);
    CHECK(model.plan_count() == 1);
    CHECK(difference(predict(model, {3, 4})[0], predict(plain, {3, 4})[0]) == 0);
    CHECK(model.plan_count() == 2);
  }
  CHECK(allocator_stats().live == before);
}

TEST_CASE("Only what is known of inputs is prepared", "[model]") {
  const auto load = [](const std::string& extents) {
    return test::load(test::sequential({test::layer(
                          "Activation", "layer", R"("activation":"relu","batch_input_shape":)" + extents)}),
                      {});
  };
  LayersModel of_two = load("[2, 4]");
  of_two.prepare();
  CHECK(of_two.plan_count() == 1);
  LayersModel of_any = load("[null, null, 4]");
  CHECK_NOTHROW(of_any.prepare());
  CHECK(of_any.plan_count() == 0);
}

TEST_CASE("Another backend gets its own plan", "[model]") {
  LayersModel model = test::load(kTwoLayers, two_layers_weights());
  const Tensor first = predict(model, {1, 4})[0];
  const Backend other = cpu_backend();
  set_backend(other);
  const Tensor second = predict(model, {1, 4})[0];
  set_backend(cpu_backend());
  CHECK(difference(first, second) == 0);
  CHECK(model.plan_count() == 2);
}

TEST_CASE("Optimizer weights in a file are left alone", "[model]") {
  const Tensor kernel = random_values({2, 1});
  const auto bytes = test::weight_bytes({{"a", kernel}, {"b", kernel}});
  LayersModel model =
      LayersModel::load(test::one_layer("Dense", "[null,2]", R"("units":1,"use_bias":false)"),
                        R"([{"name":"opt/kernel","shape":[2,1],"dtype":"float32","group":"optimizer"},
          {"name":"layer/kernel","shape":[2,1],"dtype":"float32"}])",
                        bytes);
  CHECK(model.weights().size() == 1);
}

TEST_CASE("A model.json is read with the shards beside it, and no others", "[model]") {
  const auto folder = std::filesystem::temp_directory_path() / "tenure_layers_model_test";
  std::filesystem::create_directories(folder / "sub");
  const auto write = [&](const std::string& name, const std::string& content) {
    std::ofstream(folder / name, std::ios::binary) << content;
  };
  const std::string topology = test::one_layer("Dense", "[null,1]", R"("units":2,"use_bias":false)");
  const auto model_json = [&](const std::string& paths) {
    return R"({"modelTopology":)" + topology + R"(,"weightsManifest":[{"paths":)" + paths +
           R"(,"weights":[{"name":"layer/kernel","shape":[1,2],"dtype":"float32"}]}]})";
  };
  const Tensor kernel = Tensor::from({1.0F, 2.0F}, {1, 2});
  const std::string bytes(reinterpret_cast<const char*>(kernel.data<float>()), 8);
  write("a.bin", bytes.substr(0, 3));
  write("sub/b.bin", bytes.substr(3));
  write("model.json", model_json(R"(["./a.bin","sub/b.bin"])"));
  const std::string path = (folder / "model.json").string();
  LayersModel model = load_layers_model_file(path);
  const Tensor x = Tensor::from({3.0F}, {1, 1});
  CHECK(test::floats(model.predict(std::span(&x, 1))[0]) == std::vector<float>{3, 6});
  for (const std::string shard : {"../a.bin", "sub/../../a.bin", "/etc/hosts", "", "c:\\\\a.bin", ".."}) {
    write("model.json", model_json("[\"" + shard + "\"]"));
    CHECK_THROWS_MATCHES(
        load_layers_model_file(path), Error,
        Catch::Matchers::MessageMatches(Catch::Matchers::ContainsSubstring("not in the model's folder")));
  }
  write("model.json", model_json(R"(["missing.bin"])"));
  CHECK_THROWS_MATCHES(load_layers_model_file(path), Error,
                       Catch::Matchers::MessageMatches(Catch::Matchers::StartsWith("cannot open ")));
  std::filesystem::remove_all(folder);
}

}  // namespace tenure
