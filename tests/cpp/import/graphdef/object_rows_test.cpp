#include "core/strings.h"
#include "rows.h"

using namespace tenure;
using namespace tenure::test;

namespace {

/// Runs a graph with the placeholder "x" and returns the outputs `wanted`.
Tensors run_nodes(std::vector<GraphNode> nodes, const std::vector<std::string>& wanted, const Tensor& x,
                  const std::vector<TestWeight>& weights = {}) {
  for (const TestWeight& weight : weights) nodes.push_back(constant(weight.name));
  nodes.push_back(placeholder("x"));
  GraphModel model = load_graph(nodes, weights);
  return run_graph(model, {"x"}, wanted, {x});
}

const std::string kFloatElements = R"("element_dtype":{"type":"DT_FLOAT"})";
Tensor pairs() { return Tensor::from({1.0F, 2.0F, 3.0F, 4.0F}, {2, 2}); }

std::vector<std::string> to_strings(const Tensor& tensor) {
  const Strings strings(tensor);
  std::vector<std::string> words;
  for (std::size_t i = 0; i < strings.size(); ++i) words.emplace_back(strings[i]);
  return words;
}
Tensor words(const std::vector<std::string_view>& list) {
  return make_string_tensor(list, {static_cast<std::int32_t>(list.size())});
}

}  // namespace

TEST_CASE("Rows of arrays", "[model][graphdef][rows]") {
  // Each op takes the flow of the one before it.
  const Tensors got = run_nodes(
      {{"array", "TensorArrayV3", {"three"}, R"("dtype":{"type":"DT_FLOAT"},"clear_after_read":{"b":false})"},
       {"scattered", "TensorArrayScatterV3", {"array", "places", "x", "array:1"}, ""},
       {"written", "TensorArrayWriteV3", {"array", "one", "row", "scattered"}, ""},
       {"size", "TensorArraySizeV3", {"array", "written"}, ""},
       {"read", "TensorArrayReadV3", {"array", "one", "written"}, ""},
       {"gathered", "TensorArrayGatherV3", {"array", "places", "written"}, ""},
       {"whole", "TensorArrayConcatV3", {"array", "written"}, ""},
       {"closed", "TensorArrayCloseV3", {"array", "written", "^whole", "^gathered", "^read", "^size"}, ""}},
      {"size", "read", "gathered", "whole:0", "whole:1", "closed"}, pairs(),
      {scalar("three", 3), scalar("one", 1), ints("places", {2, 0}), {"row", vector({5.0F, 6.0F})}});
  CHECK(is_same(got[0], Tensor::scalar(3)));
  CHECK(is_same(got[1], vector({5.0F, 6.0F})));
  CHECK(is_same(got[2], pairs()));
  CHECK(is_same(got[3], vector({3.0F, 4.0F, 5.0F, 6.0F, 1.0F, 2.0F})));
  CHECK(is_same(got[4], vector({2, 2, 2})));
  CHECK(got[5].elements() == 1);
  const Tensors split = run_nodes({{"array", "TensorArrayV3", {"two"}, R"("dtype":{"type":"DT_FLOAT"})"},
                                   {"split", "TensorArraySplitV3", {"array", "x", "lengths", "array:1"}, ""},
                                   {"read", "TensorArrayReadV3", {"array", "one", "split"}, ""}},
                                  {"read"}, vector({1.0F, 2.0F, 3.0F, 4.0F}),
                                  {scalar("two", 2), scalar("one", 1), ints("lengths", {2, 2})});
  CHECK(is_same(split[0], vector({3.0F, 4.0F})));
}

TEST_CASE("Rows of lists", "[model][graphdef][rows]") {
  const std::vector<TestWeight> weights = {
      scalar("two", 2),    scalar("one", 1),      scalar("zero", 0),       scalar("any", -1),
      ints("of_two", {2}), ints("order", {1, 0}), ints("lengths", {1, 1}), {"row", vector({5.0F, 6.0F})}};
  const Tensors got =
      run_nodes({{"from", "TensorListFromTensor", {"x", "of_two"}, kFloatElements},
                 {"longer", "TensorListPushBack", {"from", "row"}, kFloatElements},
                 {"length", "TensorListLength", {"longer"}, ""},
                 {"stack", "TensorListStack", {"longer", "of_two"}, kFloatElements},
                 {"gathered", "TensorListGather", {"longer", "order", "of_two"}, kFloatElements},
                 {"item", "TensorListGetItem", {"longer", "two", "of_two"}, kFloatElements},
                 {"popped", "TensorListPopBack", {"longer", "of_two"}, kFloatElements},
                 {"rest", "TensorListStack", {"popped:0", "of_two"}, kFloatElements},
                 {"set", "TensorListSetItem", {"from", "zero", "row"}, kFloatElements},
                 {"changed", "TensorListStack", {"set", "of_two"}, kFloatElements},
                 {"short", "TensorListResize", {"longer", "one"}, ""},
                 {"first", "TensorListStack", {"short", "of_two"}, kFloatElements},
                 {"chain", "TensorListConcatV2", {"from", "of_two", "lengths"}, kFloatElements},
                 {"chained", "TensorListConcat", {"from"}, kFloatElements}},
                {"length", "stack", "gathered", "item", "popped:1", "rest", "changed", "first", "chain:0",
                 "chain:1", "chained:0"},
                pairs(), weights);
  CHECK(is_same(got[0], Tensor::scalar(3)));
  CHECK(is_same(got[1], Tensor::from({1.0F, 2.0F, 3.0F, 4.0F, 5.0F, 6.0F}, {3, 2})));
  CHECK(is_same(got[2], Tensor::from({3.0F, 4.0F, 1.0F, 2.0F}, {2, 2})));
  CHECK(is_same(got[3], vector({5.0F, 6.0F})));
  CHECK(is_same(got[4], vector({5.0F, 6.0F})));
  CHECK(is_same(got[5], pairs()));
  CHECK(is_same(got[6], Tensor::from({5.0F, 6.0F, 3.0F, 4.0F}, {2, 2})));
  CHECK(is_same(got[7], Tensor::from({1.0F, 2.0F}, {1, 2})));
  CHECK(is_same(got[8], vector({1.0F, 2.0F, 3.0F, 4.0F})));
  CHECK(is_same(got[9], vector({2, 2})));
  CHECK(is_same(got[10], got[8]));

  for (const char* scatter : {"TensorListScatter", "TensorListScatterV2"}) {
    INFO(scatter);
    const Tensors made = run_nodes({{"list", scatter, {"x", "order", "of_two", "two"}, kFloatElements},
                                    {"stack", "TensorListStack", {"list", "of_two"}, kFloatElements},
                                    {"split", "TensorListSplit", {"x", "of_two", "lengths"}, kFloatElements},
                                    {"part", "TensorListGetItem", {"split", "one", "any"}, kFloatElements},
                                    {"empty", "EmptyTensorList", {"of_two", "any"}, kFloatElements},
                                    {"one_more", "TensorListPushBack", {"empty", "row"}, kFloatElements},
                                    {"all", "TensorListStack", {"one_more", "of_two"}, kFloatElements},
                                    {"reserved", "TensorListReserve", {"of_two", "two"}, kFloatElements},
                                    {"zeros", "TensorListStack", {"reserved", "of_two"}, kFloatElements}},
                                   {"stack", "part", "all", "zeros"}, pairs(), weights);
    CHECK(is_same(made[0], Tensor::from({3.0F, 4.0F, 1.0F, 2.0F}, {2, 2})));
    CHECK(is_same(made[1], Tensor::from({3.0F, 4.0F}, {1, 2})));
    CHECK(is_same(made[2], Tensor::from({5.0F, 6.0F}, {1, 2})));
    CHECK(is_same(made[3], Tensor::from({0.0F, 0.0F, 0.0F, 0.0F}, {2, 2})));
  }
}

TEST_CASE("Rows of tables", "[model][graphdef][rows]") {
  const std::string types = R"("key_dtype":{"type":"DT_INT64"},"value_dtype":{"type":"DT_FLOAT"})";
  for (const std::string version : {"", "V2"}) {
    for (const std::string fill : {"InitializeTable", "LookupTableImport"}) {
      INFO(fill << version);
      const Tensors got =
          run_nodes({{"table", "HashTable" + version, {}, types},
                     {"filled", fill + version, {"table", "keys", "values"}, ""},
                     {"found", "LookupTableFind" + version, {"table", "x", "none", "^filled"}, ""},
                     {"size", "LookupTableSize" + version, {"table", "^filled"}, ""}},
                    {"found", "size"}, vector({8, 1, 7}),
                    {ints("keys", {7, 8}), {"values", vector({0.5F, 1.5F})}, scalar("none", -1.0F)});
      CHECK(is_same(got[0], vector({1.5F, -1.0F, 0.5F})));
      CHECK(is_same(got[1], Tensor::scalar(2)));
    }
  }
}

TEST_CASE("Rows of calls and branches", "[model][graphdef][rows]") {
  const std::string functions =
      function_json("twice", {"v"}, {"out"}, {{"s", "AddV2", {"v", "v"}, ""}}, R"("out":"s:z:0")") + "," +
      function_json("minus", {"w"}, {"out"}, {{"s", "Neg", {"w"}, ""}}, R"("out":"s:y:0")") + "," +
      function_json("small", {"v"}, {"out"}, {constant("ten"), {"s", "Less", {"v", "ten"}, ""}},
                    R"("out":"s:z:0")");
  const std::string branches =
      R"("then_branch":{"func":{"name":"twice"}},"else_branch":{"func":{"name":"minus"}})";
  for (const std::string prefix : {"", "Stateless"}) {
    GraphModel model = load_graph({placeholder("x"),
                                   placeholder("p"),
                                   constant("ten"),
                                   {"either", prefix + "If", {"p", "x"}, branches},
                                   {"loop",
                                    prefix + "While",
                                    {"x"},
                                    R"("cond":{"func":{"name":"small"}},"body":{"func":{"name":"twice"}})"}},
                                  {scalar("ten", 10.0F)}, functions);
    const Tensor x = Tensor::scalar(3.0F);
    for (const bool p : {false, true}) {
      const Tensors got = run_graph(model, {"x", "p"}, {"either", "loop"}, {x, Tensor::from<bool>({p}, {})});
      CHECK(is_same(got[0], Tensor::scalar(p ? 6.0F : -3.0F)));
      CHECK(is_same(got[1], Tensor::scalar(12.0F)));
    }
  }
  for (const char* op : {"PartitionedCall", "StatefulPartitionedCall"}) {
    GraphModel model =
        load_graph({placeholder("x"), {"y", op, {"x"}, R"("f":{"func":{"name":"twice"}})"}}, {}, functions);
    CHECK(is_same(run_graph(model, {"x"}, {"y"}, {vector({1.0F, 2.0F})})[0], vector({2.0F, 4.0F})));
  }
}

TEST_CASE("Rows of sparse tensors", "[model][graphdef][rows]") {
  const Tensor indices = Tensor::from({0, 0, 2, 1}, {2, 2});
  check_row("SparseFillEmptyRows", {indices, vector({5, 6}), vector({3, 2}), Tensor::scalar(-1)},
            {Tensor::from({0, 0, 1, 0, 2, 1}, {3, 2}), vector({5, -1, 6}), truths({false, true, false}),
             vector({0, 2})});
  check_row("SparseReshape", {indices, vector({3, 2}), vector({-1})},
            {Tensor::from({0, 5}, {2, 1}), vector({6})});
  const Tensors segments = {pairs(), vector({0, 1}), vector({0, 0})};
  check_row("SparseSegmentSum", segments, {Tensor::from({4.0F, 6.0F}, {1, 2})});
  check_row("SparseSegmentMean", segments, {Tensor::from({2.0F, 3.0F}, {1, 2})});
}

TEST_CASE("Rows of ragged tensors", "[model][graphdef][rows]") {
  check_row("RaggedRange", {vector({0, 5}), vector({2, 8}), vector({1, 2})},
            {vector({0, 2, 4}), vector({0, 1, 5, 7})});
  check_row("RaggedGather", {vector({0, 2, 3}), vector({7.0F, 8.0F, 9.0F}), vector({1, 0})},
            {vector({0, 1, 3}), vector({9.0F, 7.0F, 8.0F})});
  check_row("RaggedTensorToTensor",
            {vector({2, 2}), vector({7.0F, 8.0F, 9.0F}), Tensor::scalar(0.0F), vector({0, 2, 3})},
            {Tensor::from({7.0F, 8.0F, 9.0F, 0.0F}, {2, 2})},
            R"("row_partition_types":{"list":{"s":["Uk9XX1NQTElUUw=="]}})");
}

TEST_CASE("Rows of strings", "[model][graphdef][rows]") {
  const Tensor text = words({"a b", "c"});
  const Tensor blank = make_string_tensor(std::vector<std::string_view>{" "}, Shape());
  const Tensors split = run_row("StringSplit", {text, blank}, "", 3, false);
  CHECK(is_same(split[0], Tensor::from({0, 0, 0, 1, 1, 0}, {3, 2})));
  CHECK(to_strings(split[1]) == std::vector<std::string>{"a", "b", "c"});
  CHECK(is_same(split[2], vector({2, 2})));
  const Tensors grams = run_row("StringNGrams", {words({"a", "b", "c"}), vector({0, 3})},
                                R"("separator":{"s":"LQ=="},"ngram_widths":{"list":{"i":["2"]}})", 2, false);
  CHECK(to_strings(grams[0]) == std::vector<std::string>{"a-b", "b-c"});
  CHECK(is_same(grams[1], vector({0, 2})));
  const Tensor hashes = run_row("StringToHashBucketFast", {text}, R"("num_buckets":{"i":"1"})", 1, false)[0];
  CHECK(is_same(hashes, vector({0, 0})));
}
