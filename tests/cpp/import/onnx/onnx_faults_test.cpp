// Allocations and ops that fail while ONNX models are loaded and run.

#include "catch.h"
#include "core/error.h"
#include "core/memory/allocator.h"
#include "core/memory/memory_tracked.h"
#include "core/run/fault_injection.h"
#include "count_failures.h"
#include "import/onnx/load.h"
#include "ops/ops.h"
#include "protobuf.h"

#ifdef TENURE_DEBUG

using namespace tenure;
using namespace tenure::test;
using namespace tenure::test::proto;

namespace {

constexpr std::int64_t kDepth = 64;

std::string repeat(std::string_view bytes, std::size_t count) {
  std::string result;
  for (std::size_t i = 0; i < count; ++i) result += bytes;
  return result;
}

std::string initializer(std::string_view tensor) { return bytes(5, tensor); }
std::string weights(std::string_view name, std::initializer_list<std::int64_t> dims) {
  std::size_t count = 1;
  for (const std::int64_t dim : dims) count *= static_cast<std::size_t>(dim);
  return initializer(tensor(name, kFloat, dims, repeat(raw({0.25F}), count)));
}
std::string ports() {
  return input(value("x", kFloat, {-1, kDepth})) + output(value("y", kFloat, {-1, kDepth}));
}

struct Case {
  const char* name;
  std::string file;
};

/// Products, a normalization and a cache that grows; products in integers and in halves; a loop that collects
/// values; a sequence.
std::vector<Case> cases() {
  const std::string body = node("Add", {"v", "x"}, {"next"}) + node("Identity", {"in"}, {"out"}) +
                           node("Relu", {"next"}, {"scan"}) + input(value("i", kInt64)) +
                           input(value("in", kBool)) + input(value("v", kFloat, {-1, kDepth})) +
                           output(value("out", kBool)) + output(value("next", kFloat, {-1, kDepth})) +
                           output(value("scan", kFloat, {-1, kDepth}));
  return {
      {"products", proto::model(node("MatMul", {"x", "w"}, {"a"}) + node("Relu", {"a"}, {"b"}) +
                                node("LayerNormalization", {"b", "scale"}, {"c"}) +
                                node("Concat", {"x", "c"}, {"d"}, int_attribute("axis", 0)) +
                                node("Softmax", {"d"}, {"y"}) + ports() + weights("w", {kDepth, kDepth}) +
                                weights("scale", {kDepth}))},
      {"integers",
       proto::model(node("DynamicQuantizeLinear", {"x"}, {"q", "s", "z"}) +
                    node("MatMulInteger", {"q", "w", "z"}, {"sums"}) +
                    node("Cast", {"sums"}, {"real"}, int_attribute("to", kFloat)) +
                    node("Mul", {"real", "s"}, {"y"}) + ports() +
                    initializer(tensor("w", kInt8, {kDepth, kDepth}, repeat("\3", kDepth * kDepth))))},
      {"halves",
       proto::model(node("Transpose", {"w"}, {"t"}) + node("MatMul", {"x", "t"}, {"a"}) +
                    node("MatMul", {"a", "w"}, {"b"}) + node("Gather", {"w", "index"}, {"c"}) +
                    node("Add", {"b", "c"}, {"y"}) + ports() +
                    initializer(tensor("index", kInt64, {1}, raw<std::int64_t>({5}))) +
                    initializer(tensor("w", kFloat16, {kDepth, kDepth}, repeat("\1\34", kDepth * kDepth))))},
      {"loop", proto::model(node("Loop", {"count", "", "x"}, {"y", "all"}, graph_attribute("body", body)) +
                            ports() + initializer(tensor("count", kInt64, {}, raw<std::int64_t>({3}))))},
      {"sequence",
       proto::model(node("SequenceConstruct", {"x", "x"}, {"both"}) +
                    node("ConcatFromSequence", {"both"}, {"y"}, int_attribute("axis", 0)) + ports())},
  };
}

}  // namespace

TEST_CASE("Whatever fails while an ONNX model is loaded, nothing of it is left", "[onnx][fault_injection]") {
  for (const auto& [name, file] : cases()) {
    CAPTURE(name);
    const std::size_t before = allocator_stats().live;
    const int failures = count_failures(fault_injection::fail_allocation, [&] {
      bool failed = false;
      try {
        onnx::load_model(as_bytes(file));
      } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::kOutOfMemory);
        failed = true;
      }
      CHECK(allocator_stats().live == before);
      return failed;
    });
    CHECK(failures >= (name == std::string("sequence") ? 0 : 1));
  }
}

TEST_CASE("Whatever fails in a run of an ONNX model, nothing is left and the next run is right",
          "[onnx][fault_injection]") {
  for (const auto& [name, file] : cases()) {
    CAPTURE(name);
    GraphModel model = onnx::load_model(as_bytes(file));
    const std::vector<std::string> inputs{"x"};
    const std::vector<std::string> outputs{"y"};
    const auto program = model.compile(inputs, outputs);
    const Tensors x{fill({.shape = {3, static_cast<std::int32_t>(kDepth)}, .value = 0.5})};
    const auto run = [&] {
      const Tensors results = model.run(program, x);
      const auto values = results.at(0).values<float>();
      return std::vector<float>(values.begin(), values.end());
    };
    // The first runs are eager, those that follow have a plan.
    const std::vector<float> expected = run();
    for (int i = 0; i < 3; ++i) CHECK(run() == expected);
    for (const bool planned : {true, false}) {
      for (auto* fail : {fault_injection::fail_allocation, fault_injection::fail_op}) {
        const int failures = count_failures(fail, [&] {
          if (!planned) trim_memory();
          const std::size_t before = allocator_stats().live;
          bool failed = false;
          try {
            model.run(program, x);
          } catch (const Error&) {
            failed = true;
          }
          if (!planned) trim_memory();
          CHECK(allocator_stats().live == before);
          return failed;
        });
        CHECK(failures >= 1);
        CHECK(run() == expected);
      }
    }
  }
}

#endif
