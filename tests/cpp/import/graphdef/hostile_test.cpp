#include "catch.h"
#include "core/error.h"
#include "core/memory/allocator.h"
#include "graphs.h"

using namespace tenure;
using namespace tenure::test;
using Catch::Matchers::ContainsSubstring;

namespace {

void load_topology(const std::string& topology) { graphdef::load_model(topology, "[]", {}); }

/// Computes the output "y" of a graph with the placeholder "x".
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
                    ContainsSubstring("not a string"));
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
                    ContainsSubstring("the node \"a\" (Relu): its attributes are not an object"));
  CHECK_THROWS_WITH(load_graph({{"a", "Relu", {}, R"("k":{"list":[[1]]})"}}),
                    ContainsSubstring("attribute \"k\": a list is not an object"));
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
      function_json("f", {"v"}, {"out"}, {{"c", "PartitionedCall", {"v"}, R"("f":{"func":{"name":"f"}})"}},
                    R"("out":"c:output:0")");
  CHECK_THROWS_WITH(run_with({{"y", "PartitionedCall", {"x"}, R"("f":{"func":{"name":"f"}})"}},
                             random_values({1}), {}, self),
                    ContainsSubstring("too deep"));
}

TEST_CASE("Functions that call one another in a long chain are an error", "[model][graphdef][hostile]") {
  constexpr int kCount = 30000;
  std::string functions;
  for (int i = 0; i < kCount; ++i) {
    const std::string next = R"("f":{"func":{"name":"f)" + std::to_string((i + 1) % kCount) + R"("}})";
    if (i > 0) functions += ',';
    functions += function_json("f" + std::to_string(i), {"v"}, {"out"},
                               {{"c", "PartitionedCall", {"v"}, next}}, R"("out":"c:output:0")");
  }
  CHECK_THROWS_WITH(run_with({{"y", "PartitionedCall", {"x"}, R"("f":{"func":{"name":"f0"}})"}},
                             random_values({1}), {}, functions),
                    ContainsSubstring("too deep"));
}

TEST_CASE("Loops and calls that would not end are errors that name them", "[model][graphdef][hostile]") {
  const Tensor x = Tensor::scalar(1.0F);
  const std::size_t live = allocator_stats().live;
  std::vector<GraphNode> endless = doubling_loop();
  for (GraphNode& node : endless) {
    if (node.name == "less") node = {"less", "Equal", {"merge_i", "merge_i"}, ""};
  }
  {
    GraphModel model = load_graph(endless, doubling_weights());
    CHECK_THROWS_WITH(run_graph(model, {"x", "n"}, {"y"}, {x, Tensor::scalar(1)}),
                      ContainsSubstring("the loop loop") && ContainsSubstring("does not end"));
  }
  const std::string same =
      function_json("same", {"v"}, {"out"}, {{"s", "Identity", {"v"}, ""}}, R"("out":"s:output:0")");
  CHECK_THROWS_WITH(
      run_with({{"y", "While", {"x"}, R"("cond":{"func":{"name":"same"}},"body":{"func":{"name":"same"}})"}},
               x, {}, same),
      ContainsSubstring("in the node \"y\", op While") && ContainsSubstring("does not end"));
  // Each function calls the one before it twice.
  std::string functions = same;
  for (int i = 0; i < 40; ++i) {
    const std::string next = text(R"("f":{"func":{"name":")", i == 0 ? "same" : text("f", i - 1), R"("}})");
    functions += "," + function_json(text("f", i), {"v"}, {"out"},
                                     {{"a", "PartitionedCall", {"v"}, next},
                                      {"b", "PartitionedCall", {"a:output:0"}, next}},
                                     R"("out":"b:output:0")");
  }
  CHECK_THROWS_WITH(
      run_with({{"y", "PartitionedCall", {"x"}, R"("f":{"func":{"name":"f39"}})"}}, x, {}, functions),
      ContainsSubstring("does not end"));
  CHECK(allocator_stats().live == live);
}

TEST_CASE("A long chain of nodes is no deep one", "[model][graphdef][hostile]") {
  std::vector<GraphNode> nodes = {{"n0", "Neg", {"x"}, ""}};
  for (int i = 1; i < 5000; ++i) nodes.push_back({text("n", i), "Neg", {text("n", i - 1)}, ""});
  nodes.push_back({"y", "Neg", {"n4999"}, ""});
  CHECK_NOTHROW(run_with(nodes, random_values({1})));
}

TEST_CASE("Ops that are not known are named with their nodes where they are needed",
          "[model][graphdef][hostile]") {
  GraphModel model = load_graph(
      {placeholder("x"), {"odd", "FancyOp", {"x"}, ""}, {"y", "Neg", {"odd"}, ""}, {"z", "Neg", {"x"}, ""}});
  CHECK_THROWS_WITH(run_graph(model, {"x"}, {"y"}, {random_values({1})}),
                    "the op FancyOp is not supported: the node \"odd\" needs it");
  CHECK_NOTHROW(run_graph(model, {"x"}, {"z"}, {random_values({1})}));
  GraphModel missing = load_graph({constant("c"), {"y", "Neg", {"c"}, ""}});
  CHECK_THROWS_WITH(run_graph(missing, {}, {"y"}, {}), "the node \"c\" (Const) has no weight of its name");
}

TEST_CASE("Nodes with wrong inputs and attributes are named errors", "[model][graphdef][hostile]") {
  const Tensor x = random_values({1, 4, 4, 2});
  const auto fails_with = [&](const GraphNode& node, const std::string& words,
                              const std::vector<TestWeight>& weights = {}) {
    std::vector<GraphNode> nodes = {node};
    for (const TestWeight& weight : weights) nodes.push_back(constant(weight.name));
    INFO(node.op);
    CHECK_THROWS_WITH(
        run_with(nodes, x, weights),
        ContainsSubstring(words) && ContainsSubstring("(in the node \"y\", op " + node.op + ")"));
  };
  const TestWeight filter = {"f", random_values({1, 1, 2, 2})};
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
  fails_with({"y", "TensorArrayReadV3", {"x", "s", "x"}, ""}, "not a TensorArray", {ints("s", {1})});
  fails_with({"y", "TensorListStack", {"x", "s"}, ""}, "not a TensorList", {ints("s", {1})});
  fails_with({"y", "TensorArrayV3", {"s"}, kFloat}, "places", {ints("s", {-1})});
  fails_with({"y", "TensorListReserve", {"s", "s"}, R"("element_dtype":{"type":1})"}, "",
             {ints("s", {2147483647})});
  fails_with({"y", "StatelessIf", {"s"}, R"("then_branch":{"func":{"name":"nowhere"}})"},
             "no function \"nowhere\"", {scalar("s", 1)});
  fails_with({"y", "While", {"s"}, ""}, "no function", {scalar("s", 1)});
}

TEST_CASE("Lists have no element beyond what they can have", "[model][graphdef][hostile]") {
  const Tensor row = random_values({2});
  const std::size_t live = allocator_stats().live;
  const std::string floats = R"("element_dtype":{"type":"DT_FLOAT"})";
  // The first index beyond the maximum size of a list, and the last ones of int32.
  for (const std::int32_t index : {1 << 24, 2147483646, 2147483647}) {
    INFO(index);
    for (const std::int32_t most : {-1, 2147483647}) {
      const std::vector<TestWeight> weights = {scalar("most", most),
                                               scalar("index", index),
                                               {"shape", Tensor::from({2}, {1})},
                                               {"indices", Tensor::from({index, index}, {2})},
                                               {"scalar_shape", Tensor::from({-1}, {})}};
      const auto fails_with = [&](std::vector<GraphNode> nodes, const std::string& words) {
        for (const TestWeight& weight : weights) nodes.push_back(constant(weight.name));
        CHECK_THROWS_WITH(run_with(nodes, row, weights), ContainsSubstring(words));
      };
      const GraphNode list = {"list", "EmptyTensorList", {"shape", "most"}, floats};
      fails_with({list, {"y", "TensorListSetItem", {"list", "index", "x"}, floats}},
                 text("Trying to set element ", index, " in a list with max 16777216 elements"));
      if (index > (1 << 24))
        fails_with({list, {"y", "TensorListResize", {"list", "index"}, ""}}, text("Got: ", index));
      fails_with({{"y", "TensorListScatterV2", {"x", "indices", "scalar_shape", "most"}, floats}},
                 "max 16777216 elements");
    }
  }
  CHECK(allocator_stats().live == live);
}

namespace {

std::string int_list_attr(const std::string& name, const std::string& list) {
  return text("\"", name, R"(":{"list":{"i":[)", list, "]}}");
}
const std::string kSame = R"("padding":{"s":"U0FNRQ=="})";

struct Hostile {
  std::string op;
  std::vector<std::string> inputs;
  std::string attrs;
  std::vector<TestWeight> weights;
};

}  // namespace

TEST_CASE("Numbers that no op can take are errors that name the node, and leave nothing",
          "[model][graphdef][hostile]") {
  const Tensor x = random_values({1, 4, 4, 2});
  const TestWeight one = scalar("one", 1);
  const TestWeight huge = scalar("huge", 2147483647);
  const TestWeight minus = scalar("minus", -7);
  const TestWeight filter = {"f", random_values({3, 3, 2, 2})};
  const TestWeight boxes = {"boxes", random_values({2, 4})};
  const TestWeight scores = {"scores", random_values({2})};
  const std::string strides = int_list_attr("strides", "1,1,1,1");
  const std::vector<Hostile> cases = {
      {"Squeeze", {"x"}, int_list_attr("squeeze_dims", "1e300"), {}},
      {"Squeeze", {"x"}, int_list_attr("squeeze_dims", "0.5"), {}},
      {"Squeeze", {"x"}, int_list_attr("squeeze_dims", "0,0,0,0,0,0,0,0,0,0,0,0"), {}},
      {"RandomUniform", {"s"}, R"("seed":{"i":1e300})", {ints("s", {2})}},
      {"RandomUniform", {"s"}, "", {ints("s", {-2})}},
      {"RandomUniform", {"s"}, "", {ints("s", {2147483647, 2147483647})}},
      {"Multinomial", {"x", "one"}, "", {one}},
      {"LinSpace", {"one", "one", "minus"}, "", {one, minus}},
      {"LinSpace", {"one", "one", "huge"}, "", {one, huge}},
      {"Range", {"one", "huge", "one"}, "", {one, huge}},
      {"Conv2D", {"x", "f"}, kSame + "," + int_list_attr("strides", "1,1e300,1,1"), {filter}},
      {"Conv2D", {"x", "f"}, kSame + "," + int_list_attr("strides", "1,0,0,1"), {filter}},
      {"Conv2D",
       {"x", "f"},
       kSame + "," + strides + "," + int_list_attr("dilations", "1,2147483647,2147483647,1"),
       {filter}},
      {"Conv2D", {"x", "x"}, kSame + "," + strides, {}},
      {"DepthwiseConv2dNative", {"x", "f"}, kSame + "," + int_list_attr("strides", "1,1,1"), {filter}},
      {"Conv2DBackpropInput",
       {"s", "f", "x"},
       kSame + "," + strides,
       {ints("s", {1, 2147483647, 2147483647, 2}), filter}},
      {"Conv2DBackpropInput", {"s", "f", "x"}, kSame + "," + strides, {ints("s", {-1, 4, 4, 2}), filter}},
      {"MaxPool", {"x"}, kSame + "," + strides + "," + int_list_attr("ksize", "1,0,1,1"), {}},
      {"AvgPool",
       {"x"},
       kSame + "," + int_list_attr("strides", "1,0,1,1") + "," + int_list_attr("ksize", "1,1,1,1"),
       {}},
      {"ResizeBilinear", {"x", "s"}, "", {ints("s", {2147483647, 2147483647})}},
      {"ResizeNearestNeighbor", {"x", "s"}, "", {ints("s", {0, -1})}},
      {"CropAndResize",
       {"x", "boxes", "i", "s"},
       "",
       {boxes, ints("i", {0, 0}), ints("s", {2147483647, 65536})}},
      {"ImageProjectiveTransformV3", {"x", "boxes", "s"}, "", {boxes, ints("s", {2, 2})}},
      {"SpaceToBatchND", {"x", "s", "p"}, "", {ints("s", {0, 0}), {"p", Tensor::from({0, 0, 0, 0}, {2, 2})}}},
      {"BatchToSpaceND",
       {"x", "s", "p"},
       "",
       {ints("s", {-2, 2}), {"p", Tensor::from({0, 0, 0, 0}, {2, 2})}}},
      {"DepthToSpace", {"x"}, R"("block_size":{"i":"0"})", {}},
      {"DepthToSpace", {"x"}, R"("block_size":{"i":"-2147483648"})", {}},
      {"Tile", {"x", "s"}, "", {ints("s", {65536, 65536, 65536, 65536})}},
      {"Tile", {"x", "s"}, "", {ints("s", {-1, 1, 1, 1})}},
      {"BroadcastTo", {"x", "s"}, "", {ints("s", {-5, 4, 4, 2})}},
      {"Pad", {"x", "p"}, "", {{"p", Tensor::from({0, 2147483647, 2147483647, 0, 0, 0, 0, 0}, {4, 2})}}},
      {"MirrorPad",
       {"x", "p"},
       R"("mode":{"s":"UkVGTEVDVA=="})",
       {{"p", Tensor::from({9, 9, 9, 9, 9, 9, 9, 9}, {4, 2})}}},
      {"Pack", {"x", "x"}, R"("axis":{"i":"99"})", {}},
      {"Unpack", {"x"}, R"("axis":{"i":"-99"})", {}},
      {"Split", {"one", "x"}, R"("num_split":{"i":"2147483647"})", {one}},
      {"SplitV", {"x", "s", "one"}, "", {ints("s", {2147483647, 2147483647}), one}},
      {"ConcatV2", {"x", "one", "minus"}, "", {one, minus}},
      {"Slice", {"x", "s", "s"}, "", {ints("s", {3, 3, 3, 3})}},
      {"StridedSlice", {"x", "s", "s", "s"}, R"("begin_mask":{"i":"99999999999"})", {ints("s", {1})}},
      {"Transpose", {"x", "s"}, "", {ints("s", {0, 1, 2, 9})}},
      {"GatherV2", {"x", "s", "one"}, R"("batch_dims":{"i":"99"})", {ints("s", {0}), one}},
      {"ScatterNd", {"s", "scores", "s"}, "", {{"s", Tensor::from({-1, 9}, {2, 1})}, scores}},
      {"SparseToDense", {"s", "s", "scores", "one"}, "", {ints("s", {9, 9}), scores, one}},
      {"TensorScatterUpdate", {"x", "s", "scores"}, "", {{"s", Tensor::from({9}, {1, 1})}, scores}},
      {"OneHot", {"s", "huge", "one", "one"}, "", {ints("s", {1, 2}), huge, one}},
      {"TopKV2", {"x", "minus"}, "", {minus}},
      {"TopKV2", {"x", "huge"}, "", {huge}},
      {"Cumsum", {"x", "huge"}, "", {huge}},
      {"ArgMax", {"x", "huge"}, "", {huge}},
      {"Sum", {"x", "huge"}, "", {huge}},
      {"Bincount", {"s", "minus", "scores"}, "", {ints("s", {1}), minus, scores}},
      {"Einsum", {"x", "x"}, R"("equation":{"s":"YWJjZGVmZ2hpamtsbW5vcHFyc3R1di0+YQ=="})", {}},
      {"Einsum", {"x"}, R"("equation":{"s":"LT4="})", {}},
      {"MatMul", {"x", "scores"}, "", {scores}},
      {"Cast", {"x"}, R"("DstT":{"type":1e300})", {}},
      {"Cast", {"x"}, R"("DstT":{"type":-1})", {}},
      {"NonMaxSuppressionV3", {"x", "scores", "one", "one", "one"}, "", {scores, one}},
      {"NonMaxSuppressionV3", {"boxes", "x", "one", "one", "one"}, "", {boxes, one}},
      {"FusedBatchNormV3", {"x", "scores", "scores", "scores", "boxes"}, "", {scores, boxes}},
      {"LRN", {"x"}, R"("depth_radius":{"i":"0.25"})", {}},
      {"RFFT", {"x", "minus"}, "", {minus}},
      {"IRFFT", {"x", "huge"}, "", {huge}},
      {"UniqueV2", {"x", "s"}, "", {ints("s", {77})}},
      {"TensorListReserve", {"s", "huge"}, R"("element_dtype":{"type":1})", {ints("s", {2}), huge}},
      {"TensorArrayV3", {"huge"}, R"("dtype":{"type":1})", {huge}},
      {"RaggedRange", {"s", "t", "u"}, "", {ints("s", {0}), ints("t", {2147483647}), ints("u", {0})}},
      {"RaggedGather", {"s", "scores", "t"}, "", {ints("s", {0, 99}), scores, ints("t", {0})}},
      {"SparseReshape", {"t", "s", "s"}, "", {{"t", Tensor::from({0, 0}, {1, 2})}, ints("s", {-3, -3})}},
      {"SparseSegmentSum", {"x", "s", "s"}, "", {ints("s", {9, -9})}},
      {"LookupTableFindV2", {"x", "x", "x"}, "", {}},
      {"HashTableV2", {}, R"("key_dtype":{"type":"DT_RESOURCE"})", {}},
  };
  const std::size_t live = allocator_stats().live;
  set_memory_budget(allocator_stats().live + allocator_stats().pooled + (std::size_t{64} << 20));
  for (const Hostile& hostile : cases) {
    std::vector<GraphNode> nodes = {{"y", hostile.op, hostile.inputs, hostile.attrs}};
    for (const TestWeight& weight : hostile.weights) nodes.push_back(constant(weight.name));
    INFO(hostile.op << " {" << hostile.attrs << "}");
    try {
      run_with(nodes, x, hostile.weights);
      FAIL_CHECK("nothing was wrong with it");
    } catch (const Error& error) {
      const std::string_view message = error.what();
      INFO(message);
      CHECK((error.code() == ErrorCode::kOutOfMemory || message.find("\"y\"") != std::string_view::npos));
    }
  }
  set_memory_budget(kNoBudget);
  CHECK(allocator_stats().live == live);
}

TEST_CASE("Weights that a manifest tells wrong are errors that name them", "[model][graphdef][hostile]") {
  const std::size_t live = allocator_stats().live;
  const std::string topology =
      R"({"node":[{"name":"w","op":"Const"},{"name":"y","op":"Neg","input":["w"]}]})";
  const std::vector<std::byte> bytes(16);
  const auto load = [&](const std::string& spec) { graphdef::load_model(topology, "[" + spec + "]", bytes); };
  const auto quantized = [](const std::string& fields, const std::string& rest = R"("shape":[2])") {
    return text(R"({"name":"w","dtype":"float32",)", rest, R"(,"quantization":{)", fields, "}}");
  };
  for (const std::string& spec :
       {std::string("7"), std::string("[]"), std::string(R"({"name":"w"})"),
        std::string(R"({"name":7,"shape":[1],"dtype":"float32"})"),
        std::string(R"({"name":"w","shape":[5],"dtype":"float32"})"),
        std::string(R"({"name":"w","shape":[-1],"dtype":"float32"})"),
        std::string(R"({"name":"w","shape":[0.5],"dtype":"float32"})"),
        std::string(R"({"name":"w","shape":[1e300],"dtype":"float32"})"),
        std::string(R"({"name":"w","shape":[65536,65536,65536,65536],"dtype":"float32"})"),
        std::string(R"({"name":"w","shape":[1,1,1,1,1,1,1,1,1,1],"dtype":"float32"})"),
        std::string(R"({"name":"w","shape":"x","dtype":"float32"})"),
        std::string(R"({"name":"w","shape":[1],"dtype":"float64"})"),
        std::string(R"({"name":"w","shape":[9],"dtype":"string"})"),
        quantized(R"("dtype":"uint4","min":0,"scale":1)"), quantized(R"("min":0,"scale":1)"),
        quantized(R"("dtype":"uint8","min":"x","scale":1)"), quantized(R"("dtype":"uint8")"),
        quantized(R"("dtype":"uint16","min":0,"scale":1)", R"("shape":[9])"),
        quantized(R"("dtype":"uint8","min":0,"scale":1)", R"("shape":[2147483647,2147483647])")}) {
    INFO(spec);
    CHECK_THROWS_AS(load(spec), Error);
    CHECK(allocator_stats().live == live);
  }
}
