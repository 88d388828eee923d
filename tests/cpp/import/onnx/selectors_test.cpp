// Branches that an input of one integer or bool selects: they are planned for its values.

#include <algorithm>

#include "catch.h"
#include "core/memory/allocator.h"
#include "import/onnx/load.h"
#include "protobuf.h"

using namespace tenure;
using namespace tenure::test;
using namespace tenure::test::proto;

namespace {

/// Returns a model that adds a matrix that is transposed in the branch if `condition` holds, and else
/// negates. `nodes` compute the condition, of which `more` declares inputs and initializers.
std::string select(std::string_view nodes, std::string_view condition, std::string_view more) {
  const std::string then = node("Transpose", {"w"}, {"wt"}) + node("Add", {"x", "wt"}, {"t"}) +
                           output(value("t", kFloat, {}, false));
  const std::string otherwise = node("Neg", {"x"}, {"e"}) + output(value("e", kFloat, {}, false));
  return proto::model(std::string(nodes) +
                      node("If", {condition}, {"y"},
                           graph_attribute("then_branch", then) + graph_attribute("else_branch", otherwise)) +
                      std::string(more) +
                      bytes(5, tensor("w", kFloat, {2, 2}, raw({1.0F, 2.0F, 3.0F, 4.0F}))) +
                      input(value("x", kFloat, {-1, 2})) + output(value("y", kFloat, {-1, 2})));
}

/// Returns a model whose branch depends on an integer.
std::string select_by_rate() {
  return select(
      node("Equal", {"rate", "16000"}, {"holds"}), "holds",
      bytes(5, tensor("16000", kInt32, {}, raw({std::int32_t{16000}}))) + input(value("rate", kInt32, {})));
}

class Model {
 public:
  explicit Model(const std::string& file)
      : model_(onnx::load_model(as_bytes(file))), program_(model_.compile(kInputs, kOutputs)) {}

  std::vector<float> run(std::int32_t rate, std::int32_t rows = 2) {
    Tensor x({{rows, 2}, DType::kFloat32});
    std::fill_n(x.mutable_data<float>(), x.elements(), 10.0F);
    const Tensor y = model_.run(program_, Tensors{x, Tensor::scalar(rate)}).at(0);
    const auto values = y.values<float>();
    return {values.begin(), values.end()};
  }
  GraphModel& model() { return model_; }
  int program() const { return program_; }

 private:
  inline static const std::vector<std::string> kInputs = {"x", "rate"};
  inline static const std::vector<std::string> kOutputs = {"y"};
  GraphModel model_;
  int program_;
};

const std::vector<float> kAdded = {11, 13, 12, 14};
const std::vector<float> kNegated = {-10, -10, -10, -10};

}  // namespace

TEST_CASE("A branch that an input selects is part of a plan for its value", "[onnx][selectors]") {
  const std::size_t live = allocator_stats().live;
  {
    Model model(select_by_rate());
    for (int i = 0; i < 3; ++i) {
      CHECK(model.run(16000) == kAdded);
      CHECK(model.run(8000) == kNegated);
    }
    CHECK(model.model().plan_count() == 2);
    const std::size_t after = allocator_stats().live;
    for (int i = 0; i < 100; ++i) static_cast<void>(model.run(i % 2 == 0 ? 16000 : 8000));
    CHECK(allocator_stats().live == after);
  }
  CHECK(allocator_stats().live == live);
}

TEST_CASE("Too few inputs are an error after a plan was selected", "[onnx][selectors]") {
  Model model(select_by_rate());
  CHECK(model.run(16000) == kAdded);
  CHECK_THROWS_WITH(model.model().run(model.program(), Tensors{Tensor({{2, 2}, DType::kFloat32})}),
                    Catch::Matchers::ContainsSubstring("takes 2 inputs, got 1"));
  CHECK(model.run(16000) == kAdded);
}

TEST_CASE("Two values select plans however many shapes there are", "[onnx][selectors]") {
  Model model(select_by_rate());
  for (std::int32_t rows = 1; rows <= 40; ++rows)
    CHECK(model.run(8000, rows).size() == static_cast<std::size_t>(rows) * 2);
  for (int i = 0; i < 2; ++i) {
    CHECK(model.run(16000) == kAdded);
    CHECK(model.run(8000) == kNegated);
  }
  const int plans = static_cast<int>(model.model().plan_count());
  CHECK(model.run(16000) == kAdded);
  CHECK(model.model().plan_count() == static_cast<std::size_t>(plans));
}

TEST_CASE("Values that change at each run select no plans", "[onnx][selectors]") {
  Model model(select_by_rate());
  for (std::int32_t rate = 15990; rate < 16030; ++rate)
    CHECK(model.run(rate) == (rate == 16000 ? kAdded : kNegated));
  CHECK(model.model().plan_count() <= 1);
  const std::size_t after = allocator_stats().live;
  for (std::int32_t rate = 0; rate < 40; ++rate) CHECK(model.run(rate) == kNegated);
  CHECK(allocator_stats().live == after);
}

TEST_CASE("A condition that depends on more than the input is read at run time", "[onnx][selectors]") {
  const std::string large = node("ReduceSum", {"x"}, {"sum"}, int_attribute("keepdims", 0)) +
                            node("Cast", {"rate"}, {"limit"}, int_attribute("to", kFloat)) +
                            node("Greater", {"sum", "limit"}, {"holds"});
  Model model(select(large, "holds", input(value("rate", kInt32, {}))));
  for (int i = 0; i < 3; ++i) {
    CHECK(model.run(39) == kAdded);
    CHECK(model.run(40) == kNegated);
    CHECK(model.run(59, 1).size() == 2);
  }
}

TEST_CASE("A plan without the selecting value does not hinder later ones", "[onnx][selectors]") {
  Model model(select_by_rate());
  model.model().prelink(model.program());
  for (int i = 0; i < 2; ++i) {
    CHECK(model.run(16000) == kAdded);
    CHECK(model.run(8000) == kNegated);
  }
}

TEST_CASE("A branch in a selected branch may depend on values", "[onnx][selectors]") {
  const std::string inner_then = node("Neg", {"x"}, {"a"}) + output(value("a", kFloat, {}, false));
  const std::string inner_else = node("Identity", {"x"}, {"b"}) + output(value("b", kFloat, {}, false));
  const std::string then =
      node("ReduceSum", {"x"}, {"sum"}, int_attribute("keepdims", 0)) +
      node("Greater", {"sum", "zero"}, {"inner"}) +
      node("If", {"inner"}, {"t"},
           graph_attribute("then_branch", inner_then) + graph_attribute("else_branch", inner_else)) +
      output(value("t", kFloat, {}, false));
  const std::string otherwise = node("Abs", {"x"}, {"e"}) + output(value("e", kFloat, {}, false));
  Model model(
      proto::model(node("Cast", {"rate"}, {"holds"}, int_attribute("to", kBool)) +
                   node("If", {"holds"}, {"y"},
                        graph_attribute("then_branch", then) + graph_attribute("else_branch", otherwise)) +
                   bytes(5, tensor("zero", kFloat, {}, raw({0.0F}))) + input(value("rate", kInt32, {})) +
                   input(value("x", kFloat, {-1, 2})) + output(value("y", kFloat, {-1, 2}))));
  for (int i = 0; i < 2; ++i) {
    CHECK(model.run(1) == kNegated);
    CHECK(model.run(0) == std::vector<float>(4, 10.0F));
  }
}
