#include "catch.h"
#include "core/error.h"
#include "core/memory/allocator.h"
#include "model/models.h"
#include "ops/ops.h"

/// Tests of how layers are connected: Sequential, Functional and nested models, shared layers, merges, and
/// invalid files.
namespace tenure {
namespace {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;
using test::difference;
using test::floats;
using test::functional;
using test::input;
using test::node;
using test::random_values;

const std::string kDense = R"("units":2,"use_bias":false)";

Tensor merge(const std::string& class_name, const std::string& fields, const Tensor& x, const Tensor& y,
             const std::string& x_shape = "[null,2]", const std::string& y_shape = "[null,2]") {
  LayersModel model = test::load(functional({input("a", x_shape), input("b", y_shape),
                                             node(class_name, "merge", fields, R"([[["a",0,0],["b",0,0]]])")},
                                            R"([["a",0,0],["b",0,0]])", R"([["merge",0,0]])"));
  return model.predict(Tensors{x, y}).at(0);
}

template <class F>
void check_fails(F load, const std::string& message) {
  const AllocatorStats before = allocator_stats();
  CHECK_THROWS_MATCHES(load(), Error, MessageMatches(ContainsSubstring(message)));
  CHECK(allocator_stats().live == before.live);
  CHECK(allocator_stats().blocks == before.blocks);
}

}  // namespace

TEST_CASE("A shared layer has one set of weights", "[model][network]") {
  const Tensor kernel = random_values({2, 2}, 2);
  LayersModel model =
      test::load(functional({input("a"), input("b"),
                             node("Dense", "d", kDense, R"([[["a",0,0,{}]],[["b",0,0,{}]],[["d",0,0,{}]]])"),
                             node("Add", "sum", "", R"([[["d",1,0,{}],["d",2,0,{}]]])")},
                            R"([["a",0,0],["b",0,0]])", R"([["sum",0,0],["d",0,0]])"),
                 {{"d/kernel", kernel}});
  const Tensor a = random_values({3, 2}, 3);
  const Tensor b = random_values({3, 2}, 4);
  const Tensors results = model.predict(Tensors{a, b});
  const Tensor da = mat_mul(a, kernel);
  const Tensor dda = mat_mul(da, kernel);
  CHECK(difference(results[0], add(mat_mul(b, kernel), dda)) < 1e-6F);
  CHECK(difference(results[1], da) < 1e-6F);
  CHECK(model.weights().size() == 1);
  const std::vector<NamedInput> named = {{"b", b}, {"a", a}};
  CHECK(difference(model.predict(named)[0], results[0]) == 0);
  const std::vector<NamedInput> incomplete = {{"b", b}};
  CHECK_THROWS_MATCHES(
      model.predict(incomplete), Error,
      Catch::Matchers::Message("No data provided for \"a\". Need data for each key in: a,b"));
}

TEST_CASE("Layers may stand in any order in the file", "[model][network]") {
  LayersModel model =
      test::load(functional({node("Activation", "last", R"("activation":"relu")", R"([[["first",0,0]]])"),
                             node("Flatten", "first", "", R"([[["x",0,0]]])"), input("x")},
                            R"([["x",0,0]])", R"(["last",0,0])"));
  const Tensor x = Tensor::from({-1.0F, 2.0F}, {1, 2});
  CHECK(floats(model.predict(std::span(&x, 1))[0]) == std::vector<float>{0, 2});
}

TEST_CASE("Models nest", "[model][network]") {
  const Tensor kernel = random_values({2, 2}, 2);
  const Tensor x = random_values({3, 2}, 3);
  const Tensor expected = relu(mat_mul(x, kernel));
  const std::string inner = R"({"class_name":"Sequential","config":{"name":"inner","layers":[)" +
                            test::layer("Dense", "d", kDense + R"(,"batch_input_shape":[null,2])") + "]}";
  const std::string base = GENERATE(as<std::string>(), "0", "1");
  LayersModel in_functional = test::load(
      functional({input("x"), inner + R"(,"name":"inner","inbound_nodes":[[["x",0,0]]]})",
                  node("Activation", "a", R"("activation":"relu")", R"([[["inner",)" + base + ",0]]]")},
                 R"([["x",0,0]])", R"([["a",0,0]])"),
      {{"inner/d/kernel", kernel}});
  CHECK(difference(in_functional.predict(std::span(&x, 1))[0], expected) < 1e-6F);
  LayersModel in_sequential =
      test::load(test::sequential({inner + "}", test::layer("Activation", "a", R"("activation":"relu")")}),
                 {{"d/kernel", kernel}});
  CHECK(difference(in_sequential.predict(std::span(&x, 1))[0], expected) < 1e-6F);
  CHECK(in_sequential.inputs()[0].name == "d_input");
}

TEST_CASE("All layouts of a topology", "[model][network]") {
  const std::string dense = test::layer("Dense", "d", kDense + R"(,"batch_input_shape":[null,2])");
  const std::string listed =
      R"({"class_name":"InputLayer","config":{"batch_input_shape":[null,2],"name":"in"}},)";
  const std::string sequential =
      R"({"class_name":"Sequential","config":{"name":"s","layers":[)" + dense + "]}}";
  const std::string camel_case =
      R"({"class_name":"Sequential","config":{"layers":[{"className":"Dense","class_name":"Dense","config":)"
      R"({"name":"d","units":2,"useBias":false,"batchInputShape":[null,2]}}]}})";
  const std::vector<std::string> layouts = {
      sequential,
      R"({"class_name":"Sequential","config":[)" + dense + "]}",
      R"({"class_name":"Sequential","config":{"name":"s","layers":[)" + listed + dense + "]}}",
      R"({"modelTopology":)" + sequential + "}",
      R"({"modelTopology":{"keras_version":"2.1","model_config":)" + sequential + "}}",
      R"({"model_config":)" + sequential + "}",
      camel_case,
  };
  const Tensor kernel = Tensor::from({1.0F, 0.0F, 0.0F, 2.0F}, {2, 2});
  const Tensor x = Tensor::from({3.0F, 4.0F}, {1, 2});
  for (const std::string& layout : layouts) {
    INFO(layout);
    LayersModel model = test::load(layout, {{"d/kernel", kernel}});
    CHECK(floats(model.predict(std::span(&x, 1))[0]) == std::vector<float>{3, 8});
  }
}

TEST_CASE("Merges", "[model][network]") {
  const Tensor x = Tensor::from({1.0F, 2.0F}, {1, 2});
  const Tensor y = Tensor::from({5.0F, -6.0F}, {1, 2});
  CHECK(floats(merge("Add", "", x, y)) == std::vector<float>{6, -4});
  CHECK(floats(merge("Subtract", "", x, y)) == std::vector<float>{-4, 8});
  CHECK(floats(merge("Multiply", "", x, y)) == std::vector<float>{5, -12});
  CHECK(floats(merge("Average", "", x, y)) == std::vector<float>{3, -2});
  CHECK(floats(merge("Maximum", "", x, y)) == std::vector<float>{5, 2});
  CHECK(floats(merge("Minimum", "", x, y)) == std::vector<float>{1, -6});
  CHECK(floats(merge("Concatenate", "", x, y)) == std::vector<float>{1, 2, 5, -6});
  const Tensor image = random_values({2, 3, 4}, 2);
  const Tensor vector = random_values({2, 4}, 3);
  CHECK(difference(merge("Multiply", "", image, vector, "[null,3,4]", "[null,4]"),
                   mul(image, reshape(vector, {{2, 1, 4}}))) == 0);
}

TEST_CASE("Dot contracts an axis of each input", "[model][network]") {
  const Tensor x = Tensor::from({1.0F, 2.0F}, {1, 2});
  const Tensor y = Tensor::from({3.0F, 4.0F}, {1, 2});
  CHECK(floats(merge("Dot", "\"axes\":1", x, y)) == std::vector<float>{11});
  CHECK(test::near(floats(merge("Dot", R"("axes":-1,"normalize":true)", x, y)), {11 / std::sqrt(125.0F)}));
  const Tensor a = random_values({2, 3, 4}, 2);
  const Tensor b = random_values({2, 5, 4}, 3);
  CHECK(difference(merge("Dot", "\"axes\":2", a, b, "[null,3,4]", "[null,5,4]"),
                   mat_mul(a, b, {.transpose_b = true})) < 1e-6F);
  const Tensor c = random_values({2, 3}, 4);
  const Tensor row = reshape(c, {{2, 1, 3}});
  CHECK(difference(merge("Dot", "\"axes\":[1,1]", c, a, "[null,3]", "[null,3,4]"),
                   reshape(mat_mul(row, a), {{2, 4}})) < 1e-6F);
}

TEST_CASE("Weights match by name in the ways of all versions", "[model][network]") {
  const Tensor kernel = random_values({2, 2}, 2);
  const Tensor x = random_values({1, 2}, 3);
  const std::string topology = test::one_layer("Dense", "[null,2]", kDense);
  for (const std::string name :
       {"layer/kernel", "layer/kernel:0", "layer/cell/kernel", "model/layer/kernel", "layers/layer/vars/0"}) {
    LayersModel model = test::load(topology, {{name, kernel}});
    CHECK(difference(model.predict(std::span(&x, 1))[0], mat_mul(x, kernel)) < 1e-6F);
  }
  check_fails([&] { test::load(topology, {{"something", kernel}}); },
              "Provided weight data has no target variable: something");
  check_fails([&] { test::load(topology, {}); }, "1 of 1 weights are not set: layer/kernel");
  check_fails([&] { test::load(topology, {{"layer/kernel", kernel}, {"layer/bias", random_values({2})}}); },
              "Provided weight data has no target variable: layer/bias");
  check_fails([&] { test::load(topology, {{"layer/kernel", random_values({2, 3})}}); },
              "weight \"layer/kernel\": Shape mismatch: [2,2] vs. [2,3]");
}

TEST_CASE("Files that are not right are refused with a reason", "[model][network]") {
  const Tensor kernel = random_values({2, 2}, 2);
  const auto fails = [](const std::string& topology, const std::string& message) {
    check_fails([&] { test::load(topology); }, message);
  };
  fails("", "the model is not valid JSON");
  fails("{}", "has no class_name");
  fails(R"({"modelTopology":{"node":[]}})", "the file is a graph model, not a layers model");
  fails(R"({"modelTopology":{"layers":[]}})", "has no class_name: is it a layers model?");
  fails(R"({"class_name":"Sequential"})", "model \"model\": field \"config\" is missing");
  fails(R"({"class_name":"Sequential","config":{"name":"s"}})", "model \"s\": field \"layers\" is missing");
  fails(R"({"class_name":"Sequential","config":{"name":"s","layers":[]}})", "model \"s\" has no layers");
  fails(R"({"class_name":"Sequential","config":{"layers":[{"config":{"name":"d"}}]}})",
        "layer \"d\": field \"class_name\" is missing");
  fails(test::one_layer("Foo", "[null,2]"),
        "Unknown layer: Foo. This may be due to one of the following reasons:");
  fails(test::one_layer("Foo", "[null,2]"), "(layer \"layer\")");
  fails(test::one_layer("EinsumDense", "[null,2]"),
        "layer \"layer\": layers of the class EinsumDense are not supported");
  fails(test::one_layer("Dense", "[null,2]"), "layer \"layer\": field \"units\" is missing");
  fails(test::one_layer("Dense", "[null,2]", "\"units\":\"3\""),
        "field \"units\" must be an integer, got \"3\"");
  fails(test::one_layer("Dense", "[null,2]", "\"units\":0"),
        "field \"units\" must be a positive integer, got 0");
  fails(test::one_layer("Dense", "[null,2]", "\"units\":1e30"),
        "field \"units\" must be an integer, got 1e+30");
  fails(test::one_layer("Dense", "[null,2]", R"("units":3,"activation":"foo")"), "Unknown activation: foo");
  fails(test::one_layer("Dense", "[null,-7]", "\"units\":3"),
        "the input shape [-1,-7] has a negative extent");
  fails(test::sequential({test::layer("Dense", "d", "\"units\":3")}),
        "The first layer in a Sequential model must get an `inputShape` or `batchInputShape` argument.");
  fails(test::one_layer("Conv2D", "[null,4,4,3]", R"("filters":2,"kernel_size":[3,3,3])"),
        "field \"kernel_size\" must hold 2 positive integers, got [3,3,3]");
  fails(test::one_layer("Conv2D", "[null,4,4,3]", R"("filters":2,"kernel_size":3,"padding":"causal")"),
        "field \"padding\" must be valid or same");
  fails(test::one_layer("Conv2D", "[null,4]", R"("filters":2,"kernel_size":3)"),
        "Input 0 is incompatible with layer layer: expected ndim=4, found ndim=2 (layer \"layer\")");
  fails(test::one_layer("Flatten", "[null,2]", "\"data_format\":\"diagonal\""),
        "must be channels_last or channels_first");
  fails(test::one_layer("Reshape", "[null,4]", "\"target_shape\":[3]"),
        "Total size of new array must be unchanged.");
  fails(test::one_layer("UpSampling2D", "[null,4,4,3]", "\"size\":[2000000000,1]"),
        "would have an extent of 8000000000");
  fails(test::one_layer("Permute", "[null,4,4]", "\"dims\":[1,1]"), "Invalid permutation `dims`: [1,1]");
  fails(functional({input("x"), node("Flatten", "f", "", R"([[["g",0,0]]])")}, R"([["x",0,0]])",
                   R"([["f",0,0]])"),
        "layer \"f\" is connected to layer \"g\", which does not exist");
  fails(functional({input("x"), node("Flatten", "f", "", R"([[["x",4,0]]])")}, R"([["x",0,0]])",
                   R"([["f",0,0]])"),
        "layer \"f\" is connected to output 0 of node 4 of layer \"x\", which has 1 nodes");
  fails(functional({input("x"), node("Flatten", "f", "", R"([[["x",0,3]]])")}, R"([["x",0,0]])",
                   R"([["f",0,0]])"),
        "layer \"f\" reads output 3 of a layer that has 1");
  fails(functional({input("x"), node("Flatten", "f", "", R"([[["x",0,0]]])")}, R"([["x",0,0]])",
                   R"([["f",0,1]])"),
        "the model reads output 1 of layer \"f\", which has 1");
  fails(functional({input("x"), node("Flatten", "f", "", R"([[["g",0,0]]])"),
                    node("Flatten", "g", "", R"([[["f",0,0]]])")},
                   R"([["x",0,0]])", R"([["f",0,0]])"),
        "the connections of layer \"f\" form a cycle");
  fails(functional({input("x"), input("x")}, R"([["x",0,0]])", R"([["x",0,0]])"),
        "two layers are called \"x\"");
  fails(functional({input("x")}, R"([["x",0,0]])", "[]"), "the model has no outputs");
  fails(functional({input("x"), node("Flatten", "f", "", R"([[["x",0,0]]])")}, R"([["f",0,0]])",
                   R"([["x",0,0]])"),
        "input layer \"f\" is not an InputLayer");
  std::string deep = test::layer("Flatten", "f");
  for (int i = 0; i < 60; ++i)
    deep = R"({"class_name":"TimeDistributed","config":{"name":"t","layer":)" + deep + "}}";
  fails(test::sequential({deep}), "is nested more than 100 levels deep");
  check_fails(
      [&] {
        LayersModel::load(test::one_layer("Dense", "[null,2]", kDense),
                          test::weight_specs_json({{"layer/kernel", kernel}}), {});
      },
      "weight \"layer/kernel\" of shape [2,2] needs 16 bytes, but the weight data ends after 0 of them");
}

}  // namespace tenure
