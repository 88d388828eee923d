// Types of values that the engine has no type for, through subgraphs and functions: whether integers have 64
// bits is seen by whether their sums beyond int32 are errors.

#include "catch.h"
#include "import/onnx/load.h"
#include "protobuf.h"

using namespace tenure;
using namespace tenure::test;
using namespace tenure::test::proto;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr std::int32_t kHalf = 1 << 30;

/// Returns a ValueInfoProto without a type.
std::string untyped(std::string_view name) { return bytes(1, name); }

std::string port(std::string_view name, int type) { return value(name, type, {}, false); }

std::string node_field(int field, std::string_view op, std::initializer_list<std::string_view> inputs,
                       std::string_view output) {
  std::string message;
  for (const std::string_view name : inputs) message += bytes(1, name);
  return bytes(field, message + bytes(2, output) + bytes(4, op));
}

Tensor scalar_of(DType dtype, std::int32_t number) {
  Tensor x({{}, dtype});
  if (dtype == DType::kBool) {
    *x.mutable_data<std::uint8_t>() = static_cast<std::uint8_t>(number);
  } else {
    *x.mutable_data<std::int32_t>() = number;
  }
  return x;
}

/// Runs a model of inputs "a", of type `type`, and "c", a condition, of which a is 2^30. Its output is "y".
Tensor run(const std::string& graph, int type = kInt64, std::string_view rest = {}) {
  GraphModel model = onnx::load_model(as_bytes(proto::model(
      graph + input(port("a", type)) + input(port("c", kBool)) + output(untyped("y")), 17, rest)));
  const std::vector<std::string> names = {"a", "c"};
  const Tensors given = {scalar_of(DType::kInt32, kHalf), scalar_of(DType::kBool, 1)};
  return model.run(model.compile(names, std::vector<std::string>{"y"}), given)[0];
}

/// Checks that a graph adds 2^30 twice as integers of 64 bits if "a" has them, and as int32 if not.
void check_adds(const std::string& graph, std::string_view rest = {}) {
  CAPTURE(graph);
  CHECK_THROWS_WITH(run(graph, kInt64, rest), ContainsSubstring("1073741824 + 1073741824"));
  CHECK(run(graph, kInt32, rest).data<std::int32_t>()[0] == -2 * kHalf);
}

const std::string kAdd = node("Add", {"x", "x"}, {"y"});

}  // namespace

TEST_CASE("Values within branches and of If have the types of integers", "[onnx]") {
  const auto choose = [](const std::string& then_nodes, const std::string& else_nodes,
                         std::string_view name) {
    return node("If", {"c"}, {name},
                graph_attribute("then_branch", then_nodes + output(untyped("t"))) +
                    graph_attribute("else_branch", else_nodes + output(untyped("e"))));
  };
  check_adds(choose(node("Add", {"a", "a"}, {"t"}), node("Identity", {"a"}, {"e"}), "y"));
  check_adds(choose(node("Identity", {"a"}, {"t"}), node("Neg", {"a"}, {"e"}), "x") + kAdd);
}

TEST_CASE("A value of a branch or of a body hides one of its name around it", "[onnx]") {
  const auto to_int32 = [](std::string_view from, std::string_view to) {
    return node("Cast", {from}, {to}, int_attribute("to", kInt32));
  };
  const auto choose = [](const std::string& nodes) {
    return node("If", {"c"}, {"y"},
                graph_attribute("then_branch", nodes + output(untyped("t"))) +
                    graph_attribute("else_branch", node("Neg", {"a"}, {"e"}) + output(untyped("e"))));
  };
  const auto is_int32 = [](const std::string& graph) {
    CAPTURE(graph);
    CHECK(run(graph, kInt64).data<std::int32_t>()[0] == -2 * kHalf);
  };
  const std::string twice = node("Add", {"x", "x"}, {"t"});
  const std::string outer = node("Identity", {"a"}, {"x"});
  is_int32(outer + choose(to_int32("a", "x") + twice));
  is_int32(outer + choose(bytes(5, tensor("x", kInt32, {}, raw({kHalf}))) + twice));
  // Without a value of its own, a graph within a graph reads the one around both.
  const auto nested =
      node("If", {"c"}, {"t"},
           graph_attribute("then_branch", node("Add", {"x", "x"}, {"u"}) + output(untyped("u"))) +
               graph_attribute("else_branch", node("Neg", {"x"}, {"v"}) + output(untyped("v"))));
  check_adds(outer + choose(nested));
  is_int32(outer + choose(to_int32("a", "x") + nested));

  const std::string count = bytes(5, tensor("n", kInt64, {}, raw({std::int64_t{1}})));
  const std::string body = node("Identity", {"holds"}, {"next"}) + node("Add", {"a", "a"}, {"w"}) +
                           input(untyped("i")) + input(untyped("holds")) + input(untyped("a")) +
                           output(untyped("next")) + output(untyped("w"));
  is_int32(count + to_int32("a", "b") + node("Loop", {"n", "", "b"}, {"y"}, graph_attribute("body", body)));
}

TEST_CASE("Values of loops have the types of integers", "[onnx]") {
  const std::string count = bytes(5, tensor("n", kInt64, {}, raw({std::int64_t{1}})));
  const auto loop = [&](const std::string& nodes, std::initializer_list<std::string_view> outputs) {
    const std::string body = node("Identity", {"holds"}, {"next holds"}) + nodes + input(untyped("i")) +
                             input(untyped("holds")) + input(untyped("v")) + output(untyped("next holds")) +
                             output(untyped("w")) + output(untyped("s"));
    return count + node("Loop", {"n", "", "a"}, outputs, graph_attribute("body", body));
  };
  const std::string copies = node("Identity", {"v"}, {"w"}) + node("Identity", {"v"}, {"s"});
  check_adds(loop(node("Add", {"v", "v"}, {"w"}) + node("Identity", {"v"}, {"s"}), {"y", ""}));
  check_adds(loop(copies, {"x", ""}) + kAdd);
  check_adds(loop(copies, {"", "x"}) + kAdd);
  // The number of the iteration, 0, is int64.
  CHECK_THROWS_WITH(run(loop(node("Add", {"i", "a"}, {"t"}) + node("Add", {"t", "t"}, {"w"}) +
                                 node("Identity", {"v"}, {"s"}),
                             {"y", ""}),
                        kInt32),
                    ContainsSubstring("1073741824 + 1073741824"));
}

TEST_CASE("Values of Scan have the types of integers", "[onnx]") {
  const std::string row =
      node("Reshape", {"a", "one"}, {"xs"}) + bytes(5, tensor("one", kInt64, {1}, raw({std::int64_t{1}})));
  const auto scan = [&](const std::string& nodes, std::initializer_list<std::string_view> outputs) {
    const std::string body =
        nodes + input(untyped("v")) + input(untyped("e")) + output(untyped("w")) + output(untyped("s"));
    return row + node("Scan", {"a", "xs"}, outputs,
                      graph_attribute("body", body) + int_attribute("num_scan_inputs", 1));
  };
  const std::string copies = node("Identity", {"v"}, {"w"}) + node("Identity", {"e"}, {"s"});
  check_adds(scan(node("Add", {"e", "e"}, {"w"}) + node("Identity", {"v"}, {"s"}), {"y", ""}));
  check_adds(scan(node("Add", {"v", "v"}, {"w"}) + node("Identity", {"v"}, {"s"}), {"y", ""}));
  check_adds(scan(copies, {"x", ""}) + kAdd);
  check_adds(scan(copies, {"", "x"}) + kAdd);
}

TEST_CASE("Values of sequences have the types of integers", "[onnx]") {
  const std::string list = node("SequenceConstruct", {"a"}, {"list"}) +
                           bytes(5, tensor("zero", kInt64, {}, raw({std::int64_t{0}})));
  check_adds(list + node("SequenceAt", {"list", "zero"}, {"x"}) + kAdd);
  const auto map = [](const std::string& nodes) {
    return node("SequenceMap", {"list"}, {"mapped"},
                graph_attribute("body", nodes + input(untyped("e")) + output(untyped("o"))));
  };
  check_adds(list + map(node("Add", {"e", "e"}, {"o"})) + node("SequenceAt", {"mapped", "zero"}, {"y"}));
  check_adds(list + map(node("Identity", {"e"}, {"o"})) + node("SequenceAt", {"mapped", "zero"}, {"x"}) +
             kAdd);
}

TEST_CASE("Parameters and results of functions have the types of integers", "[onnx]") {
  const auto function = [](const std::string& nodes) {
    return bytes(8, bytes(1, "own") + integer(2, 1)) +
           bytes(25, bytes(1, "F") + bytes(4, "p") + bytes(5, "r") + nodes + bytes(9, integer(2, 17)) +
                         bytes(10, "own"));
  };
  const auto call = [](std::string_view name) { return node("F", {"a"}, {name}, {}, "own"); };
  check_adds(call("y"), function(node_field(7, "Add", {"p", "p"}, "r")));
  check_adds(call("x") + kAdd, function(node_field(7, "Identity", {"p"}, "r")));
}

TEST_CASE("Types that a file declares for values count", "[onnx]") {
  const auto add = [](int type) {
    return node("Identity", {"a"}, {"x"}) + kAdd + bytes(13, port("x", type));
  };
  CHECK_THROWS_WITH(run(add(kInt64), 0), ContainsSubstring("1073741824 + 1073741824"));
  CHECK(run(add(kInt32), 0).data<std::int32_t>()[0] == -2 * kHalf);
  // A type inferred from nodes overrides a declared one.
  CHECK_THROWS_WITH(run(add(kUint8), kInt64), ContainsSubstring("1073741824 + 1073741824"));
}

TEST_CASE("Outputs of several, and results of other ops, have the types of integers", "[onnx]") {
  const std::string row =
      node("Reshape", {"a", "two"}, {"row"}) + bytes(5, tensor("two", kInt64, {1}, raw({std::int64_t{-1}})));
  check_adds(row + node("Concat", {"row", "row"}, {"rows"}, int_attribute("axis", 0)) +
             node("Split", {"rows"}, {"", "x"}, int_attribute("num_outputs", 2)) + kAdd);
  const auto fill = [](int type, std::string_view number) {
    return bytes(5, tensor("shape", kInt64, {1}, raw({std::int64_t{1}}))) +
           node("ConstantOfShape", {"shape"}, {"k"},
                tensor_attribute("value", tensor("", type, {1}, number))) +
           node("Max", {"k", "a"}, {"x"}) + kAdd;
  };
  CHECK_THROWS_WITH(run(fill(kInt64, raw({std::int64_t{0}})), kInt32),
                    ContainsSubstring("1073741824 + 1073741824"));
  CHECK(run(fill(kInt32, raw({std::int32_t{0}})), kInt32).data<std::int32_t>()[0] == -2 * kHalf);
}

TEST_CASE("An output without a type has the one that follows from its nodes", "[onnx]") {
  const auto get_type = [](std::string_view op, int type) {
    const GraphModel model = onnx::load_model(
        as_bytes(proto::model(node(op, {"a"}, {"y"}) + input(port("a", type)) + output(untyped("y")))));
    return model.outputs()[0].type;
  };
  CHECK(get_type("Neg", kInt64) == "int64");
  CHECK(get_type("Shape", kFloat) == "int64");
  CHECK(get_type("Identity", kUint8) == "uint8");
  CHECK(get_type("Neg", kFloat).empty());
}
