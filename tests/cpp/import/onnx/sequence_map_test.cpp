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

std::string port(std::string_view name) { return value(name, kFloat, {}, false); }

std::string sequence(std::string_view name) {
  const std::string type = bytes(4, bytes(1, bytes(1, integer(1, kFloat))));
  return bytes(1, name) + bytes(2, type);
}

/// Returns a model that maps two inputs to their sums times `w`, a value of the graph around the body, and to
/// the elements of the first. The second is `b`, a sequence or a tensor.
std::string map_model(const std::string& b, const std::string& body_inputs) {
  const std::string body = node("Add", {"x", "y"}, {"sum"}) + node("Mul", {"sum", "w"}, {"scaled"}) +
                           node("Identity", {"x"}, {"same"}) + body_inputs + output(port("scaled")) +
                           output(port("same"));
  return proto::model(node("SequenceMap", {"a", "b"}, {"sums", "copies"}, graph_attribute("body", body)) +
                          input(sequence("a")) + input(b) + input(port("w")) + output(sequence("sums")) +
                          output(sequence("copies")),
                      17);
}

FlatValues run(const std::string& file, const FlatValues& values) {
  GraphModel model = onnx::load_model(as_bytes(file));
  const int program =
      model.compile(std::vector<std::string>{"a", "b", "w"}, std::vector<std::string>{"sums", "copies"});
  const auto execution = model.start_with_containers(program, values);
  check(!execution->advance(), "the model needs an op that is not the engine's");
  return execution->finish_with_containers();
}

Tensor vector(float first, float second) { return Tensor::from({first, second}, {2}); }

void check_values(const FlatValues& results, std::initializer_list<float> firsts) {
  REQUIRE(results.tensors.size() == firsts.size());
  std::size_t i = 0;
  for (const float first : firsts) CHECK(results.tensors[i++].values<float>()[0] == first);
}

}  // namespace

TEST_CASE("A SequenceMap runs its body for each element", "[onnx][sequence]") {
  constexpr std::int32_t kTensor = FlatValues::kTensor;
  const std::string inputs = input(port("x")) + input(port("y"));
  const Tensor w = Tensor::scalar(10.0F);
  const Tensor one = vector(1, 2);
  const Tensor two = vector(3, 4);
  const std::size_t live = allocator_stats().live;
  {
    const FlatValues sums = run(map_model(sequence("b"), inputs), {{one, two, two, two, w}, {2, 2, kTensor}});
    CHECK(sums.counts == std::vector<std::int32_t>{2, 2});
    check_values(sums, {40, 60, 1, 3});
    check_values(run(map_model(port("b"), inputs), {{one, two, two, w}, {2, kTensor, kTensor}}),
                 {40, 60, 1, 3});
    const FlatValues none = run(map_model(port("b"), inputs), {{two, w}, {0, kTensor, kTensor}});
    CHECK(none.counts == std::vector<std::int32_t>{0, 0});
    CHECK_THROWS_WITH(run(map_model(sequence("b"), inputs), {{one, two, two, w}, {2, 1, kTensor}}),
                      ContainsSubstring("input 1 has 1 tensors, input 0 has 2"));
  }
  CHECK(allocator_stats().live == live);
}

TEST_CASE("A SequenceMap of an invalid file is refused", "[onnx][sequence][hostile]") {
  const auto load = [](const std::string& file) { onnx::load_model(as_bytes(file)); };
  CHECK_THROWS_WITH(load(map_model(sequence("b"), input(port("x")))),
                    ContainsSubstring("its graph has 1 inputs and 2 outputs"));
  CHECK_THROWS_WITH(load(proto::model(node("SequenceMap", {"a"}, {"y"}) + input(sequence("a")), 17)),
                    ContainsSubstring("it has no graph \"body\""));
  // The input that must be a sequence is a tensor.
  GraphModel model = onnx::load_model(as_bytes(proto::model(
      node("SequenceMap", {"w"}, {"s"},
           graph_attribute("body", node("Identity", {"x"}, {"y"}) + input(port("x")) + output(port("y")))) +
          input(port("w")) + output(sequence("s")),
      17)));
  const int program = model.compile(std::vector<std::string>{"w"}, std::vector<std::string>{"s"});
  CHECK_THROWS_WITH(model.run(program, Tensors{Tensor::scalar(1.0F)}),
                    ContainsSubstring("input 0 is not a sequence"));
}
