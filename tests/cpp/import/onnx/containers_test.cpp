// Values of ONNX models that are no tensors: sequences and optional values.

#include "catch.h"
#include "core/error.h"
#include "core/memory/allocator.h"
#include "import/onnx/load.h"
#include "model/executor/program.h"
#include "protobuf.h"

using namespace tenure;
using namespace tenure::test;
using namespace tenure::test::proto;
using Catch::Matchers::ContainsSubstring;
using executor::FlatValues;

namespace {

constexpr int kSequenceField = 4;
constexpr int kOptionalField = 9;

std::string container(int field, std::string_view element) { return bytes(field, bytes(1, element)); }

/// Returns the output of a model whose input "v" has a type, and whose node reads it and "i".
FlatValues run(std::string_view op, std::string_view type, const FlatValues& values) {
  const std::string inputs = input(bytes(1, "v") + bytes(2, type)) + input(value("i", kInt64));
  const bool has_index = op == "SequenceAt";
  const std::string reader = has_index ? node(op, {"v", "i"}, {"y"}) : node(op, {"v"}, {"y"});
  const std::string file = proto::model(reader + inputs + output(value("y", kFloat, {}, false)), 18);
  GraphModel model = onnx::load_model(as_bytes(file));
  const int program = model.compile(std::vector<std::string>{"v", "i"}, std::vector<std::string>{"y"});
  const auto execution = model.start_with_containers(program, values);
  check(!execution->advance(), "the model needs an op that is not the engine's");
  return execution->finish_with_containers();
}

}  // namespace

TEST_CASE("Inputs that are no tensors must be of the container that the model declares", "[onnx][hostile]") {
  constexpr std::int32_t kTensor = FlatValues::kTensor;
  constexpr std::int32_t kAbsent = FlatValues::kAbsent;
  const std::string tensor_type = bytes(1, integer(1, kFloat));
  const std::string sequence = container(kSequenceField, tensor_type);
  const std::string optional = container(kOptionalField, tensor_type);
  const std::string optional_sequence = container(kOptionalField, sequence);
  const Tensor x = Tensor::from({3.0F}, {1});
  const Tensor i = Tensor::scalar(0);
  const std::size_t live = allocator_stats().live;

  CHECK(run("SequenceAt", sequence, {{x, i}, {1, kTensor}}).tensors.at(0).values<float>()[0] == 3.0F);
  CHECK(run("OptionalHasElement", optional, {{x, i}, {kTensor, kTensor}}).tensors.size() == 1);
  CHECK(run("OptionalHasElement", optional, {{i}, {kAbsent, kTensor}}).tensors.size() == 1);
  CHECK(run("OptionalHasElement", optional_sequence, {{x, i}, {1, kTensor}}).tensors.size() == 1);

  CHECK_THROWS_WITH(run("SequenceAt", sequence, {{x, i}, {kTensor, kTensor}}),
                    ContainsSubstring("the input \"v\" must be a sequence, got a tensor"));
  CHECK_THROWS_WITH(run("SequenceAt", sequence, {{i}, {kAbsent, kTensor}}),
                    ContainsSubstring("the input \"v\" must be a sequence, got an absent value"));
  CHECK_THROWS_WITH(run("SequenceAt", sequence, {{x, i}, {1, 1}}),
                    ContainsSubstring("the input \"i\" must be a tensor, got a sequence"));
  CHECK_THROWS_WITH(run("OptionalHasElement", optional, {{x, i}, {1, kTensor}}),
                    ContainsSubstring("the input \"v\" must be an optional tensor, got a sequence"));
  CHECK_THROWS_WITH(run("OptionalHasElement", optional_sequence, {{x, i}, {kTensor, kTensor}}),
                    ContainsSubstring("the input \"v\" must be an optional sequence, got a tensor"));
  CHECK_THROWS_WITH(run("SequenceAt", sequence, {{Tensor(), i}, {1, kTensor}}),
                    ContainsSubstring("the input \"v\" is left out"));
  CHECK_THROWS_WITH(run("SequenceAt", sequence, {{x, Tensor()}, {1, kTensor}}),
                    ContainsSubstring("the input \"i\" is left out"));
  CHECK_THROWS_WITH(run("SequenceAt", sequence, {{i}, {-3, kTensor}}),
                    ContainsSubstring("input 0 has -3 tensors"));
  CHECK_THROWS_WITH(run("SequenceAt", sequence, {{i}, {1, kTensor}}), ContainsSubstring("fewer tensors"));
  CHECK_THROWS_WITH(run("SequenceAt", sequence, {{x, x, i}, {1, kTensor}}),
                    ContainsSubstring("more tensors"));
  CHECK(allocator_stats().live == live);
}

TEST_CASE("A model that takes a sequence takes no list of tensors", "[onnx]") {
  const std::string type = container(kSequenceField, bytes(1, integer(1, kFloat)));
  const std::string file =
      proto::model(node("ConcatFromSequence", {"v"}, {"y"}, int_attribute("axis", 0)) +
                   input(bytes(1, "v") + bytes(2, type)) + output(value("y", kFloat, {}, false)));
  GraphModel model = onnx::load_model(as_bytes(file));
  const int program = model.compile(std::vector<std::string>{"v"}, std::vector<std::string>{"y"});
  CHECK_THROWS_WITH(model.run(program, Tensors{Tensor::from({3.0F}, {1})}),
                    ContainsSubstring("the input \"v\" must be a sequence, got a tensor"));
}
