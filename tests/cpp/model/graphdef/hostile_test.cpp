#include "catch.h"
#include "core/allocator.h"
#include "core/error.h"
#include "graphs.h"

using namespace tenure;
using namespace tenure::test;
using Catch::Matchers::ContainsSubstring;

namespace {

void load_topology(const std::string& topology) { GraphModel::load(topology, "[]", {}); }

/// Runs "y" of nodes that read the placeholder "x".
void run_with(std::vector<GraphNode> nodes, const Tensor& x, const std::vector<TestWeight>& weights = {},
              const std::string& functions = "") {
  nodes.push_back(placeholder("x"));
  GraphModel model = load_graph(nodes, weights, functions);
  run_graph(model, {"x"}, {"y"}, {x});
}

}  // namespace

TEST_CASE("Graphs that are not right are errors that name the node", "[model][graphdef][hostile]") {
  const std::size_t live = allocator_stats().live;
  CHECK_THROWS_WITH(load_topology("{}"), ContainsSubstring("has no nodes"));
  CHECK_THROWS_WITH(load_topology(R"({"node":[{}]})"), ContainsSubstring("a node has no name"));
  CHECK_THROWS_WITH(load_topology(R"({"node":[{"name":"a"}]})"),
                    ContainsSubstring("the node \"a\" has no op"));
  CHECK_THROWS_WITH(load_topology(R"({"node":[7]})"), ContainsSubstring("has no name"));
  CHECK_THROWS_WITH(load_topology(R"({"node":[{"name":"a","op":"Relu","input":["b"]}]})"),
                    ContainsSubstring("there is no node \"b\""));
  CHECK_THROWS_WITH(load_topology(R"({"node":[{"name":"a","op":"Relu","input":[1]}]})"),
                    ContainsSubstring("no string"));
  CHECK_THROWS_WITH(load_topology(R"({"node":[{"name":"a","op":"Relu","input":["a:x:y:z"]}]})"),
                    ContainsSubstring("names no output"));
  CHECK_THROWS_WITH(load_topology(R"({"node":[{"name":"a","op":"Relu","input":["a:99999999999"]}]})"),
                    ContainsSubstring("names no output"));
  CHECK_THROWS_WITH(load_topology(R"({"node":[{"name":"a","op":"Relu"},{"name":"a","op":"Relu"}]})"),
                    ContainsSubstring("two nodes have the name \"a\""));
  CHECK_THROWS_WITH(load_graph({{"a", "Relu", {}, R"("k":{"s":"!!"})"}}),
                    ContainsSubstring("attribute \"k\": a string is not base64"));
  CHECK_THROWS_WITH(load_graph({{"a", "Relu", {}, R"("k":{"type":"DT_NONE"})"}}),
                    ContainsSubstring("is not known"));
  CHECK_THROWS_WITH(load_graph({{"a", "Relu", {}, R"("k":{"i":"x1"})"}}),
                    ContainsSubstring("attribute \"k\""));
  CHECK_THROWS_WITH(load_graph({{"a", "Relu", {}, R"("k":{"shape":{"dim":[{"size":"-7"}]}})"}}),
                    ContainsSubstring("extent -7"));
  CHECK_THROWS_WITH(load_graph({{"a", "Relu", {}, R"("k":{"shape":{"dim":[{},{},{},{},{},{},{},{},{}]}})"}}),
                    ContainsSubstring("rank 9"));
  CHECK_THROWS_WITH(load_topology(R"({"node":[{"name":"a","op":"Relu","attr":["k"]}]})"),
                    ContainsSubstring("the node \"a\" (Relu): its attributes are no object"));
  CHECK_THROWS_WITH(load_graph({{"a", "Relu", {}, R"("k":{"list":[[1]]})"}}),
                    ContainsSubstring("attribute \"k\": a list is no object"));
  CHECK_THROWS_AS(load_topology(R"({"node":)" + std::string(500, '[') + std::string(500, ']') + "}"), Error);
  CHECK(allocator_stats().live == live);
}

TEST_CASE("Graphs without end are errors", "[model][graphdef][hostile]") {
  CHECK_THROWS_WITH(load_graph({placeholder("x"), {"a", "Add", {"x", "b"}, ""}, {"b", "Relu", {"a"}, ""}}),
                    ContainsSubstring("cycle"));
  CHECK_THROWS_WITH(load_graph({{"a", "Relu", {"a"}, ""}}),
                    ContainsSubstring("the node \"a\" is its own input"));
  CHECK_THROWS_WITH(load_graph({{"e", "Enter", {"e"}, ""}}), ContainsSubstring("cycle"));
  // A function that calls itself.
  const std::string self =
      function_of("f", {"v"}, {"out"}, {{"c", "PartitionedCall", {"v"}, R"("f":{"func":{"name":"f"}})"}},
                  R"("out":"c:output:0")");
  CHECK_THROWS_WITH(
      run_with({{"y", "PartitionedCall", {"x"}, R"("f":{"func":{"name":"f"}})"}}, some_values({1}), {}, self),
      ContainsSubstring("too deep"));
}

TEST_CASE("A long chain of nodes is no deep one", "[model][graphdef][hostile]") {
  std::vector<GraphNode> nodes = {{"n0", "Neg", {"x"}, ""}};
  for (int i = 1; i < 5000; ++i) nodes.push_back({text("n", i), "Neg", {text("n", i - 1)}, ""});
  nodes.push_back({"y", "Neg", {"n4999"}, ""});
  CHECK_NOTHROW(run_with(nodes, some_values({1})));
}

TEST_CASE("Ops that are not known are named with their nodes where they are needed",
          "[model][graphdef][hostile]") {
  GraphModel model = load_graph(
      {placeholder("x"), {"odd", "FancyOp", {"x"}, ""}, {"y", "Neg", {"odd"}, ""}, {"z", "Neg", {"x"}, ""}});
  CHECK_THROWS_WITH(run_graph(model, {"x"}, {"y"}, {some_values({1})}),
                    "the op FancyOp is not supported: the node \"odd\" needs it");
  CHECK_NOTHROW(run_graph(model, {"x"}, {"z"}, {some_values({1})}));
  GraphModel missing = load_graph({constant("c"), {"y", "Neg", {"c"}, ""}});
  CHECK_THROWS_WITH(run_graph(missing, {}, {"y"}, {}), "the node \"c\" (Const) has no weight of its name");
}

TEST_CASE("Nodes with wrong inputs and attributes are named errors", "[model][graphdef][hostile]") {
  const Tensor x = some_values({1, 4, 4, 2});
  const auto fails_with = [&](const GraphNode& node, const std::string& words,
                              const std::vector<TestWeight>& weights = {}) {
    std::vector<GraphNode> nodes = {node};
    for (const TestWeight& weight : weights) nodes.push_back(constant(weight.name));
    INFO(node.op);
    CHECK_THROWS_WITH(
        run_with(nodes, x, weights),
        ContainsSubstring(words) && ContainsSubstring("(in the node \"y\", op " + node.op + ")"));
  };
  const TestWeight filter = {"f", some_values({1, 1, 2, 2})};
  fails_with({"y", "Add", {"x"}, ""}, "at least 2 inputs");
  fails_with({"y", "Conv2D", {"x", "f"}, R"("padding":{"s":"U0FNRQ=="},"strides":{"list":{"i":[1]}})"},
             "strides", {filter});
  fails_with({"y",
              "Conv2D",
              {"x", "f"},
              R"("padding":{"s":"U0FNRQ=="},"strides":{"list":{"i":["1","-1","1","1"]}})"},
             "strides", {filter});
  fails_with(
      {"y", "Conv2D", {"x", "f"}, R"("padding":{"s":"QUJD"},"strides":{"list":{"i":["1","1","1","1"]}})"},
      "padding", {filter});
  fails_with({"y",
              "Conv2D",
              {"x", "f"},
              R"("padding":{"s":"RVhQTElDSVQ="},"strides":{"list":{"i":["1","1","1","1"]}})"},
             "explicit_paddings", {filter});
  fails_with(
      {"y",
       "MaxPool",
       {"x"},
       R"("padding":{"s":"U0FNRQ=="},"ksize":{"list":{"i":["0","0","0","0"]}},"strides":{"list":{"i":["1","0","0","1"]}})"},
      "");
  fails_with({"y",
              "_FusedConv2D",
              {"x", "f"},
              R"("fused_ops":{"list":{"s":["Qmlhc0FkZA=="]}},"padding":{"s":"U0FNRQ=="})"},
             "bias", {filter});
  fails_with(
      {"y", "_FusedConv2D", {"x", "f"}, R"("fused_ops":{"list":{"s":["QUJD"]}},"padding":{"s":"U0FNRQ=="})"},
      "ABC", {filter});
  fails_with({"y", "Reshape", {"x", "s"}, ""}, "", {ints("s", {1, 2, 3, 4, 5, 6, 7, 8, 9})});
  fails_with({"y", "Fill", {"s", "x"}, ""}, "", {ints("s", {1 << 30, 1 << 30})});
  fails_with({"y", "Transpose", {"x", "s"}, ""}, "", {ints("s", {0, 0, 0, 0})});
  fails_with({"y", "Pad", {"x", "s"}, ""}, "", {ints("s", {1})});
  fails_with({"y", "StridedSlice", {"x", "s", "s", "s"}, ""}, "", {ints("s", {0})});
  fails_with({"y", "Squeeze", {"x"}, R"("squeeze_dims":{"list":{"i":["77"]}})"}, "");
  fails_with({"y", "GatherV2", {"x", "s", "s"}, ""}, "", {ints("s", {100})});
  fails_with({"y", "Split", {"s", "x"}, R"("num_split":{"i":"0"})"}, "", {ints("s", {1})});
  fails_with({"y", "ConcatV2", {"s"}, R"("N":{"i":"0"})"}, "", {ints("s", {1})});
  fails_with({"y", "ConcatV2", {"x", "s"}, R"("N":{"i":"-3"})"}, "", {ints("s", {1})});
  fails_with({"y", "Pack", {}, ""}, "");
  fails_with({"y", "Range", {"s", "s", "s"}, ""}, "step", {ints("s", {0})});
  fails_with({"y", "OneHot", {"x", "s", "s", "s"}, ""}, "", {ints("s", {-5})});
  fails_with({"y", "Cast", {"x"}, R"("DstT":{"type":"DT_RESOURCE"})"}, "DstT");
  fails_with({"y", "Mean", {"x", "s"}, ""}, "", {ints("s", {9})});
  fails_with({"y", "ResizeBilinear", {"x", "s"}, ""}, "", {ints("s", {-1, 5})});
  fails_with({"y", "Conv2DBackpropInput", {"s", "f", "x"}, R"("padding":{"s":"U0FNRQ=="})"}, "",
             {ints("s", {1}), filter});
  fails_with({"y", "TensorArrayReadV3", {"x", "s", "x"}, ""}, "no TensorArray", {ints("s", {1})});
  fails_with({"y", "TensorListStack", {"x", "s"}, ""}, "no TensorList", {ints("s", {1})});
  fails_with({"y", "TensorArrayV3", {"s"}, kFloat}, "places", {ints("s", {-1})});
  fails_with({"y", "TensorListReserve", {"s", "s"}, R"("element_dtype":{"type":1})"}, "",
             {ints("s", {2147483647})});
  fails_with({"y", "StatelessIf", {"s"}, R"("then_branch":{"func":{"name":"nowhere"}})"},
             "no function \"nowhere\"", {scalar("s", 1)});
  fails_with({"y", "While", {"s"}, ""}, "no function", {scalar("s", 1)});
}
