#include "catch.h"
#include "import/onnx/load.h"
#include "protobuf.h"

using namespace tenure;
using namespace tenure::test;
using namespace tenure::test::proto;
using Catch::Matchers::ContainsSubstring;

namespace {

/// Runs a node of ai.onnx.ml on a row of two features.
Tensors run(std::string_view op, const std::string& attributes, const std::vector<std::string>& outputs) {
  const std::string opset = bytes(8, bytes(1, "ai.onnx.ml") + integer(2, 3));
  std::string graph = node(op, {"x"}, {"y", "z"}, attributes, "ai.onnx.ml") +
                      input(value("x", kFloat, {}, false)) + output(value("y", kInt64, {}, false));
  if (outputs.size() > 1) graph += output(value("z", kFloat, {}, false));
  GraphModel model = onnx::load_model(as_bytes(proto::model(graph, 17, opset)), {});
  const Tensors given = {Tensor::from({1.0F, 2.0F}, {1, 2})};
  return model.run(model.compile(std::vector<std::string>{"x"}, outputs), given);
}

/// A classifier of two classes with a support vector each.
struct Classifier {
  std::vector<std::int64_t> labels = {3, 4};
  std::vector<std::int64_t> counts = {1, 1};
  std::vector<float> vectors = {1, 2, 0, 0};
  std::vector<float> coefficients = {1, -1};
  std::vector<float> rho = {0.5F};
  std::vector<float> prob_a = {};

  std::string to_attributes() const {
    return ints_attribute("classlabels_ints", labels) + ints_attribute("vectors_per_class", counts) +
           floats_attribute("support_vectors", vectors) + floats_attribute("coefficients", coefficients) +
           floats_attribute("rho", rho) + floats_attribute("prob_a", prob_a) +
           strings_attribute("post_transform", {"SOFTMAX"});
  }
};

Tensors classify(const Classifier& classifier) {
  return run("SVMClassifier", classifier.to_attributes(), {"y", "z"});
}

}  // namespace

TEST_CASE("A support vector machine of two classes votes by the sign of its score", "[onnx][svm]") {
  const Tensors results = classify({});
  CHECK(results[0].values<std::int32_t>()[0] == 3);
  CHECK(results[1].values<float>()[0] == -5.5F);
  CHECK(results[1].values<float>()[1] == 5.5F);
}

TEST_CASE("Support vectors whose numbers do not fit are refused", "[onnx][svm]") {
  const auto fails = [](const auto& change, const char* message) {
    Classifier classifier;
    change(classifier);
    CHECK_THROWS_WITH(classify(classifier), ContainsSubstring(message));
  };
  // Sums and products that are small in 32 bits.
  fails([](Classifier& c) { c.counts = {0x7FFFFFFF, 0x7FFFFFFF, 4}; }, "4 values for 4294967298 vectors");
  fails([](Classifier& c) { c.counts = {0x40000000, 0x40000000}; }, "4 values for 2147483648 vectors");
  fails([](Classifier& c) { c.counts = {-1, 3}; }, "vectors_per_class");
  fails(
      [](Classifier& c) {
        c.counts = {1};
        c.labels = {3};
        c.vectors = {1, 2};
        c.coefficients = {};
      },
      "coefficients");
  fails([](Classifier& c) { c.vectors.clear(); }, "0 values for 2 vectors");
  fails([](Classifier& c) { c.rho.clear(); }, "values of rho");
  fails([](Classifier& c) { c.prob_a = {1}; }, "coefficients of probabilities");
  fails([](Classifier& c) { c.vectors = {1, 2}; }, "expected rows of 1 features, got 2");
  CHECK_THROWS_WITH(run("SVMRegressor", int_attribute("n_supports", 2) + floats_attribute("rho", {0}), {"y"}),
                    ContainsSubstring("0 values for 2 vectors"));
  CHECK_THROWS_WITH(run("SVMRegressor", floats_attribute("rho", {0}), {"y"}),
                    ContainsSubstring("0 coefficients"));
}
