#include "catch.h"
#include "core/error.h"
#include "model/models.h"
#include "ops/ops.h"

/// Tests of the shapes of models whose inputs have unknown extents.
namespace tenure {
namespace {

using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;
using test::dims;
using test::functional;
using test::input;
using test::node;
using test::random_values;

std::vector<int> output_shape(const std::string& topology,
                              const std::vector<test::TestWeight>& weights = {}) {
  return dims(test::load(topology, weights).outputs()[0].shape);
}

std::string merge_of(const std::string& class_name, const std::string& a, const std::string& b,
                     const std::string& fields = "") {
  return functional(
      {input("a", a), input("b", b), node(class_name, "m", fields, R"([[["a",0,0],["b",0,0]]])")},
      R"([["a",0,0],["b",0,0]])", R"([["m",0,0]])");
}

}  // namespace

TEST_CASE("Open extents that must fit what stands beside them", "[model][shapes]") {
  CHECK(output_shape(merge_of("Add", "[null,null,4]", "[null,7,4]")) == std::vector{-1, 7, 4});
  CHECK(output_shape(merge_of("Add", "[null,null,null,4]", "[null,5,7,4]")) == std::vector{-1, 5, 7, 4});
  CHECK(output_shape(merge_of("Multiply", "[null,null,4]", "[null,4]")) == std::vector{-1, -1, 4});
  CHECK(output_shape(merge_of("Concatenate", "[null,null,null,4]", "[null,5,7,3]")) ==
        std::vector{-1, 5, 7, 7});
  CHECK(output_shape(merge_of("Concatenate", "[null,null,4]", "[null,7,4]", "\"axis\":1")) ==
        std::vector{-1, -1, 4});
  CHECK(output_shape(merge_of("Dot", "[null,null,4]", "[null,39,5]", "\"axes\":1")) == std::vector{-1, 4, 5});
  CHECK_THROWS_MATCHES(output_shape(merge_of("Add", "[null,null,3]", "[null,7,4]")), Error,
                       MessageMatches(ContainsSubstring("(layer \"m\")")));
}

TEST_CASE("Open extents that a layer needs large, or in a certain number", "[model][shapes]") {
  CHECK(output_shape(test::one_layer("Reshape", "[null,null,5]", "\"target_shape\":[17,-1]")) ==
        std::vector{-1, 17, -1});
  CHECK(output_shape(test::one_layer("Reshape", "[null,null,null]", "\"target_shape\":[50,30]")) ==
        std::vector{-1, 50, 30});
  CHECK(output_shape(test::one_layer("MaxPooling1D", "[null,null,3]", "\"pool_size\":6000")) ==
        std::vector{-1, -1, 3});
  CHECK(output_shape(test::one_layer("Flatten", "[null,null,3]")) == std::vector{-1, -1});
  const Tensor x = random_values({2, 34, 5});
  LayersModel model = test::load(test::one_layer("Reshape", "[null,null,5]", "\"target_shape\":[17,-1]"));
  CHECK(dims(model.predict(std::span(&x, 1)).at(0).shape()) == std::vector{2, 17, 10});
}

TEST_CASE("Weights whose shape stays open are refused", "[model][shapes]") {
  CHECK_THROWS_MATCHES(
      output_shape(test::one_layer("Dense", "[null,3,null]", "\"units\":2")), Error,
      MessageMatches(ContainsSubstring("the shape of the weight \"kernel\" depends on an extent of the input "
                                       "that is not known (layer \"layer\")")));
}

TEST_CASE("A model may reach an empty image", "[model][shapes]") {
  const std::string topology = test::sequential(
      {test::layer("MaxPooling2D", "a", R"("batch_input_shape":[null,3,3,2],"pool_size":2)"),
       test::layer("MaxPooling2D", "b", R"("pool_size":2)"), test::layer("GlobalMaxPooling2D", "c")});
  LayersModel model = test::load(topology);
  CHECK(dims(model.outputs()[0].shape) == std::vector{-1, 2});
  const Tensor x = random_values({1, 3, 3, 2});
  CHECK(test::floats(model.predict(std::span(&x, 1)).at(0)) == std::vector<float>{-INFINITY, -INFINITY});
}

TEST_CASE("A small file cannot ask for endless work", "[model][shapes]") {
  std::string model = test::sequential({test::layer("Flatten", "f", R"("batch_input_shape":[null,2])")});
  for (int i = 0; i < 20; ++i) {
    const std::string name = text("m", i);
    model = functional({input("x"), text(model.substr(0, model.size() - 1),
                                         R"(,"name":"m","inbound_nodes":[[["x",0,0]],[["m",1,0]]]})")},
                       R"([["x",0,0]])", R"([["m",2,0]])", name);
  }
  CHECK_THROWS_MATCHES(test::load(model), Error,
                       MessageMatches(ContainsSubstring("the model calls its layers more than 32768 times")));
}

}  // namespace tenure
