#include <cmath>

#include "catch.h"
#include "import/onnx/load.h"
#include "protobuf.h"

using namespace tenure;
using namespace tenure::test;
using namespace tenure::test::proto;
using Catch::Matchers::ContainsSubstring;

namespace {

/// A tree of a comparison of feature 0 with 0.5 and two leaves.
struct Tree {
  std::vector<std::int64_t> ids = {0, 1, 2};
  std::vector<std::int64_t> if_true = {1, 0, 0};
  std::vector<std::int64_t> if_false = {2, 0, 0};
  std::vector<std::string_view> modes = {"BRANCH_LEQ", "LEAF", "LEAF"};
  std::vector<std::int64_t> features = {0, 0, 0};
  std::vector<float> values = {0.5F, 0, 0};
  std::vector<std::int64_t> classes = {0, 1, 0, 1};
  std::vector<std::int64_t> leaves = {1, 1, 2, 2};
  std::vector<float> weights = {0.9F, 0.1F, 0.2F, 0.8F};
  std::vector<std::int64_t> labels = {5, 7};

  std::string to_attributes() const {
    const auto zeros = [](std::size_t count) { return std::vector<std::int64_t>(count, 0); };
    return ints_attribute("nodes_treeids", zeros(ids.size())) + ints_attribute("nodes_nodeids", ids) +
           ints_attribute("nodes_truenodeids", if_true) + ints_attribute("nodes_falsenodeids", if_false) +
           strings_attribute("nodes_modes", modes) + ints_attribute("nodes_featureids", features) +
           floats_attribute("nodes_values", values) + ints_attribute("class_treeids", zeros(leaves.size())) +
           ints_attribute("class_nodeids", leaves) + ints_attribute("class_ids", classes) +
           floats_attribute("class_weights", weights) + ints_attribute("classlabels_int64s", labels);
  }
};

std::string make_model(std::string_view op, const std::string& attributes, int version) {
  const std::string opset = bytes(8, bytes(1, "ai.onnx.ml") + integer(2, version));
  const std::string graph = node(op, {"x"}, {"y", "z"}, attributes, "ai.onnx.ml") +
                            input(value("x", kFloat, {}, false)) + output(value("y", kInt64, {}, false)) +
                            output(value("z", kFloat, {}, false));
  return proto::model(graph, 17, opset);
}

/// Runs a model twice, as the second run uses the trees that the first has read.
Tensors run(const std::string& file, const Tensor& x,
            std::initializer_list<std::string> outputs = {"y", "z"}) {
  GraphModel model = onnx::load_model(as_bytes(file), {});
  const auto compiled = model.compile(std::vector<std::string>{"x"}, std::vector<std::string>(outputs));
  const Tensors given = {x};
  model.run(compiled, given);
  return model.run(compiled, given);
}

Tensors classify(const Tree& tree) {
  return run(make_model("TreeEnsembleClassifier", tree.to_attributes(), 3),
             Tensor::from({0.0F, 1.0F, 0.5F, 0.0F}, {2, 2}));
}

template <class T>
std::vector<T> to_vector(const Tensor& x) {
  const std::span<const T> values = x.values<T>();
  return {values.begin(), values.end()};
}

}  // namespace

TEST_CASE("Trees that vote for both of two labels choose the one with the higher score", "[onnx][trees]") {
  Tree tree;
  CHECK(to_vector<std::int32_t>(classify(tree)[0]) == std::vector{5, 5});
  CHECK(to_vector<float>(classify(tree)[1]) == std::vector{0.9F, 0.1F, 0.9F, 0.1F});
  tree.modes[0] = "BRANCH_LT";
  CHECK(to_vector<std::int32_t>(classify(tree)[0]) == std::vector{5, 7});
}

TEST_CASE("Nodes that are no trees are refused", "[onnx][trees]") {
  const auto fails = [](const auto& change, const char* message) {
    Tree tree;
    change(tree);
    CHECK_THROWS_WITH(classify(tree), ContainsSubstring(message));
  };
  fails([](Tree& t) { t.if_true[0] = 9; }, "tree 0 has no node 9");
  fails([](Tree& t) { t.ids[2] = 1; }, "same id");
  fails([](Tree& t) { t.modes[0] = "BRANCH"; }, "nodes_modes");
  fails([](Tree& t) { t.modes[0] = "BRANCH_MEMBER"; }, "nodes_modes");
  fails([](Tree& t) { t.features[0] = 2; }, "compare 3 features");
  fails([](Tree& t) { t.features[0] = -1; }, "nodes_featureids");
  fails([](Tree& t) { t.values.pop_back(); }, "different lengths");
  fails([](Tree& t) { t.classes[0] = 2; }, "target 2 of 2");
  fails([](Tree& t) { t.weights.pop_back(); }, "weights for 4 votes");
  fails([](Tree& t) { t.labels.clear(); }, "no labels");
  // Two comparisons that lead to each other, beside a root.
  fails(
      [](Tree& t) {
        t.modes = {"BRANCH_LEQ", "BRANCH_LEQ", "BRANCH_LEQ"};
        t.if_true = {1, 2, 1};
        t.if_false = {1, 2, 1};
      },
      "two parents");
}

TEST_CASE("A TreeEnsemble compares with sets, and numbers its transform as ONNX does", "[onnx][trees]") {
  const auto list = [](const char* name, std::initializer_list<float> values) {
    return tensor_attribute(name,
                            tensor("", kFloat, {static_cast<std::int64_t>(values.size())}, raw(values)));
  };
  const std::string modes = tensor_attribute("nodes_modes", tensor("", 2, {2}, std::string_view("\6\6", 2)));
  const auto predict = [&](std::initializer_list<float> members, std::int64_t root) {
    const std::string attributes =
        modes + list("nodes_splits", {0, 0}) + ints_attribute("nodes_featureids", {0, 0}) +
        ints_attribute("nodes_truenodeids", {0, 1}) + ints_attribute("nodes_trueleafs", {1, 1}) +
        ints_attribute("nodes_falsenodeids", {1, 2}) + ints_attribute("nodes_falseleafs", {0, 1}) +
        ints_attribute("leaf_targetids", {0, 1, 0}) + list("leaf_weights", {2, 3, 0}) +
        list("membership_values", members) + ints_attribute("tree_roots", {root}) +
        int_attribute("n_targets", 2) + int_attribute("post_transform", 2);
    return run(make_model("TreeEnsemble", attributes, 5), Tensor::from({4.0F, 7.0F, 1.0F}, {3, 1}), {"y"})[0];
  };
  const Tensor y = predict({1, 4, NAN, 7, NAN}, 0);
  const auto logistic = [](float x) { return 1 / (1 + std::exp(-x)); };
  const std::vector<float> expected = {logistic(2), 0.5F, 0.5F, logistic(3), logistic(2), 0.5F};
  for (std::size_t i = 0; i < expected.size(); ++i)
    CHECK(y.values<float>()[i] == Catch::Approx(expected[i]).epsilon(1e-6));
  CHECK_THROWS_WITH(predict({1, 4, NAN, 7}, 0), ContainsSubstring("too few sets"));
  CHECK_THROWS_WITH(predict({1, 4, NAN, 7, NAN}, 1), ContainsSubstring("has a parent"));
  CHECK_THROWS_WITH(predict({1, 4, NAN, 7, NAN}, 2), ContainsSubstring("has no node 2"));
}
