#include "catch.h"
#include "model/models.h"
#include "ops/ops.h"

/// Tests of which layers pass a mask on and how they combine several, as in Keras: a sequence with masked
/// steps gives the result of the sequence without them.
namespace tenure {
namespace {

using test::difference;
using test::functional;
using test::input;
using test::node;
using test::random_values;

const std::string kEmbedding = R"("input_dim":9,"output_dim":3,"mask_zero":true)";
const std::string kLstm = R"("units":2,"recurrent_activation":"sigmoid")";

std::vector<test::TestWeight> lstm_weights(std::int32_t features, const std::string& name = "lstm") {
  return {{name + "/kernel", random_values({features, 8}, 4)},
          {name + "/recurrent_kernel", random_values({2, 8}, 5)},
          {name + "/bias", random_values({8}, 6)}};
}

std::vector<test::TestWeight> operator+(std::vector<test::TestWeight> a,
                                        const std::vector<test::TestWeight>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Tensor ids(std::initializer_list<float> values) {
  return Tensor::from(values, {1, static_cast<std::int32_t>(values.size())});
}

const std::vector<test::TestWeight> kEmbeddings = {{"a_embedded/embeddings", random_values({9, 3}, 2)},
                                                   {"b_embedded/embeddings", random_values({9, 3}, 3)}};

/// Returns a model that embeds two sequences, merges them and runs an LSTM over the result.
LayersModel merged(const std::string& class_name, const std::string& fields, std::int32_t features,
                   const std::string& b_fields = kEmbedding) {
  return test::load(
      functional({input("a", "[null,null]"), input("b", "[null,null]"),
                  node("Embedding", "a_embedded", kEmbedding, R"([[["a",0,0]]])"),
                  node("Embedding", "b_embedded", b_fields, R"([[["b",0,0]]])"),
                  node(class_name, "merged", fields, R"([[["a_embedded",0,0],["b_embedded",0,0]]])"),
                  node("LSTM", "lstm", kLstm, R"([[["merged",0,0]]])")},
                 R"([["a",0,0],["b",0,0]])", R"([["lstm",0,0]])"),
      kEmbeddings + lstm_weights(features));
}

}  // namespace

TEST_CASE("Merges count the steps that all their inputs count", "[model][masks]") {
  const auto [class_name, fields, features] =
      GENERATE(table<std::string, std::string, std::int32_t>({{"Concatenate", "", 6},
                                                              {"Concatenate", "\"axis\":2", 6},
                                                              {"Add", "", 3},
                                                              {"Subtract", "", 3},
                                                              {"Multiply", "", 3},
                                                              {"Average", "", 3},
                                                              {"Maximum", "", 3},
                                                              {"Minimum", "", 3}}));
  INFO(class_name);
  LayersModel model = merged(class_name, fields, features);
  const Tensor all = model.predict(Tensors{ids({5, 0, 3, 7, 0}), ids({2, 4, 0, 8, 0})}).at(0);
  CHECK(difference(all, model.predict(Tensors{ids({5, 7}), ids({2, 8})}).at(0)) < 1e-6F);
}

TEST_CASE("An input without a mask counts every step", "[model][masks]") {
  const std::string class_name = GENERATE("Concatenate", "Add");
  LayersModel model = merged(class_name, "", class_name == "Add" ? 3 : 6, R"("input_dim":9,"output_dim":3)");
  const Tensor all = model.predict(Tensors{ids({5, 0, 3}), ids({2, 0, 0})}).at(0);
  CHECK(difference(all, model.predict(Tensors{ids({5, 3}), ids({2, 0})}).at(0)) < 1e-6F);
}

TEST_CASE("Concatenate along the steps joins their masks", "[model][masks]") {
  const std::string b_fields = GENERATE(as<std::string>(), kEmbedding, R"("input_dim":9,"output_dim":3)");
  LayersModel model = merged("Concatenate", "\"axis\":1", 3, b_fields);
  const Tensor all = model.predict(Tensors{ids({5, 0, 3}), ids({2, 4})}).at(0);
  CHECK(difference(all, model.predict(Tensors{ids({5, 3}), ids({2, 4})}).at(0)) < 1e-6F);
}

TEST_CASE("Layers that treat each step alone pass the mask on", "[model][masks]") {
  const auto [class_name, fields] = GENERATE(table<std::string, std::string>(
      {{"LeakyReLU", ""},
       {"ELU", ""},
       {"ThresholdedReLU", "\"theta\":0.1"},
       {"Softmax", "\"axis\":-1"},
       {"ReLU", ""},
       {"Activation", "\"activation\":\"tanh\""},
       {"Dropout", "\"rate\":0.5"},
       {"LayerNormalization", R"("center":false,"scale":false)"},
       {"TimeDistributed",
        R"("layer":{"class_name":"Activation","config":{"name":"t","activation":"relu"}})"},
       {"Sequential", ""}}));
  INFO(class_name);
  const std::string nested =
      R"({"class_name":"Sequential","config":{"name":"nested","layers":[)" +
      test::layer("Activation", "act", R"("activation":"tanh","batch_input_shape":[null,null,3])") + "]}}";
  LayersModel model = test::load(
      test::sequential(
          {test::layer("Embedding", "a_embedded", kEmbedding + R"(,"batch_input_shape":[null,null])"),
           class_name == "Sequential" ? nested : test::layer(class_name, "layer", fields),
           test::layer("LSTM", "lstm", kLstm)}),
      std::vector<test::TestWeight>{kEmbeddings[0]} + lstm_weights(3));
  const Tensor x = ids({0, 5, 0, 3, 0});
  const Tensor all = model.predict(std::span(&x, 1)).at(0);
  const Tensor y = ids({5, 3});
  CHECK(difference(all, model.predict(std::span(&y, 1)).at(0)) < 1e-6F);
}

TEST_CASE("A mask made inside a nested model comes out of it", "[model][masks]") {
  const std::string nested =
      functional({input("i", "[null,null]"), node("Embedding", "a_embedded", kEmbedding, R"([[["i",0,0]]])")},
                 R"([["i",0,0]])", R"([["a_embedded",0,0]])", "nested");
  LayersModel model = test::load(
      functional({input("a", "[null,null]"),
                  nested.substr(0, nested.size() - 1) + R"(,"name":"nested","inbound_nodes":[[["a",0,0]]]})",
                  node("LSTM", "lstm", kLstm, R"([[["nested",1,0]]])")},
                 R"([["a",0,0]])", R"([["lstm",0,0]])"),
      std::vector<test::TestWeight>{kEmbeddings[0]} + lstm_weights(3));
  const Tensor x = ids({0, 5, 0, 3, 0});
  const Tensor y = ids({5, 3});
  CHECK(difference(model.predict(std::span(&x, 1)).at(0), model.predict(std::span(&y, 1)).at(0)) < 1e-6F);
}

TEST_CASE("Both results of a Bidirectional that does not merge have the mask", "[model][masks]") {
  const std::string inner = R"("layer":{"class_name":"LSTM","config":{"name":"f","return_sequences":true,)" +
                            kLstm + R"(}},"merge_mode":null)";
  const std::int32_t which = GENERATE(0, 1);
  LayersModel model = test::load(
      functional({input("a", "[null,null]"), node("Embedding", "a_embedded", kEmbedding, R"([[["a",0,0]]])"),
                  node("Bidirectional", "both", inner, R"([[["a_embedded",0,0]]])"),
                  node("LSTM", "lstm", kLstm, text(R"([[["both",0,)", which, "]]]"))},
                 R"([["a",0,0]])", R"([["lstm",0,0]])"),
      std::vector<test::TestWeight>{kEmbeddings[0]} + lstm_weights(3, "both/forward_f") +
          lstm_weights(3, "both/backward_f") + lstm_weights(2));
  const Tensor x = ids({5, 0, 3, 0});
  const Tensor y = ids({5, 3});
  CHECK(difference(model.predict(std::span(&x, 1)).at(0), model.predict(std::span(&y, 1)).at(0)) < 1e-6F);
}

TEST_CASE("The average of steps is that of the steps that count", "[model][masks]") {
  LayersModel model = test::load(
      test::sequential(
          {test::layer("Embedding", "a_embedded", kEmbedding + R"(,"batch_input_shape":[null,null])"),
           test::layer("GlobalAveragePooling1D", "mean")}),
      {kEmbeddings[0]});
  const Tensor x = ids({0, 5, 0, 3, 0});
  const Tensor y = ids({5, 3});
  CHECK(difference(model.predict(std::span(&x, 1)).at(0), model.predict(std::span(&y, 1)).at(0)) < 1e-6F);
}

}  // namespace tenure
