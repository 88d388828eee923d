#include <cstdint>
#include <random>

#include "catch.h"
#include "core/error.h"
#include "core/memory/allocator.h"
#include "core/strings.h"
#include "flatbuffer_builder.h"
#include "import/tflite/load.h"

using namespace tenure;
using namespace tenure::test::flat;
using Catch::Matchers::ContainsSubstring;

namespace {

struct TestTensor {
  std::string name;
  std::vector<std::int32_t> shape;
  int type = 0;
  std::string data = {};
  std::vector<float> scales = {};
  std::int64_t zero = 0;
};

struct TestOperator {
  int code;
  std::vector<std::int32_t> inputs;
  std::vector<std::int32_t> outputs;
  std::vector<Field> options = {};
  std::string custom = {};
};

struct TestGraph {
  std::vector<TestTensor> tensors;
  std::vector<std::int32_t> inputs;
  std::vector<std::int32_t> outputs;
  std::vector<TestOperator> operators;
};

std::string floats(const std::vector<float>& values) {
  std::string bytes;
  for (const float value : values) bytes += number(value);
  return bytes;
}

std::string write(const std::vector<TestGraph>& graphs) {
  Builder builder;
  std::vector<Target> buffers{builder.table({})};
  std::vector<Target> codes;
  std::vector<Target> subgraphs;
  for (const TestGraph& graph : graphs) {
    std::vector<Target> tensors;
    for (const TestTensor& tensor : graph.tensors) {
      if (!tensor.data.empty()) buffers.push_back(builder.table({builder.bytes(tensor.data)}));
      Field quantization;
      if (!tensor.scales.empty())
        quantization = builder.table(
            {{}, {}, builder.numbers(tensor.scales), builder.numbers(std::vector{tensor.zero})});
      tensors.push_back(
          builder.table({builder.numbers(tensor.shape), int8(tensor.type),
                         int32(tensor.data.empty() ? 0 : static_cast<std::int32_t>(buffers.size()) - 1),
                         builder.text(tensor.name), quantization}));
    }
    std::vector<Target> operators;
    for (const TestOperator& op : graph.operators) {
      Field name;
      if (!op.custom.empty()) name = builder.text(op.custom);
      codes.push_back(builder.table({int8(std::min(op.code, 127)), name, int32(3), int32(op.code)}));
      Field options;
      if (!op.options.empty()) options = builder.table(op.options);
      operators.push_back(
          builder.table({int32(static_cast<std::int32_t>(codes.size()) - 1), builder.numbers(op.inputs),
                         builder.numbers(op.outputs), int8(op.options.empty() ? 0 : 1), options}));
    }
    subgraphs.push_back(builder.table({builder.targets(tensors), builder.numbers(graph.inputs),
                                       builder.numbers(graph.outputs), builder.targets(operators)}));
  }
  return builder.file(builder.table({int32(3), builder.targets(codes), builder.targets(subgraphs),
                                     builder.text("test"), builder.targets(buffers)}));
}

/// A fully connected layer of 2 inputs and 2 outputs, and a relu.
TestGraph connected() {
  return {.tensors = {{"x", {1, 2}},
                      {"w", {2, 2}, 0, floats({1, 2, -1, -2})},
                      {"b", {2}, 0, floats({0.5F, 0})},
                      {"y", {1, 2}}},
          .inputs = {0},
          .outputs = {3},
          .operators = {{9, {0, 1, 2}, {3}, {int8(1)}}}};
}

GraphModel load(const std::string& file, const tflite::LoadOptions& options = {}) {
  return tflite::load_model(as_bytes(file), options).model;
}

std::vector<float> run(GraphModel& model, const std::vector<std::string>& inputs, const Tensors& values,
                       const std::string& output = "y") {
  const Tensor result = model.run(model.compile(inputs, std::vector{output}), values).at(0);
  const auto span = result.values<float>();
  return {span.begin(), span.end()};
}

/// Loads a file and runs it with zeros, if it is valid and its shapes are small.
void load_and_run(const std::string& file) {
  try {
    GraphModel model = load(file);
    std::vector<std::string> inputs;
    std::vector<std::string> outputs;
    Tensors values;
    for (const GraphPort& input : model.inputs()) {
      Shape shape = input.shape.value_or(Shape());
      for (std::int32_t& extent : shape) extent = std::clamp(extent, 0, 4);
      inputs.push_back(input.name);
      const TensorSpec spec{shape, input.dtype.value_or(DType::kFloat32)};
      values.emplace_back(spec);
      if (spec.dtype != DType::kString)
        std::memset(values.back().mutable_data<std::byte>(), 0, values.back().bytes());
    }
    for (const GraphPort& output : model.outputs()) outputs.push_back(output.name);
    model.run(model.compile(inputs, outputs), values);
  } catch (const Error& error) {
    CHECK_FALSE(std::string_view(error.what()).empty());
  }
}

}  // namespace

TEST_CASE("tflite::try_load_model() returns nothing for ops of few models without their part", "[tflite]") {
  const auto is_needed = [](const TestGraph& graph, bool has_signature = false) {
    const tflite::LoadOptions options{.signature = has_signature ? "key" : ""};
    return !tflite::try_load_model(as_bytes(write({graph})), options, false);
  };
  const auto conv = [](std::int32_t channels, std::int32_t dilation) -> TestGraph {
    return {
        .tensors = {{"x", {1, 3, 3, 2}},
                    {"w", {2, 1, 1, channels}, 0, floats(std::vector<float>(2U * channels, 1))},
                    {"y", {1, 3, 3, 2}}},
        .inputs = {0},
        .outputs = {2},
        .operators = {{3, {0, 1}, {2}, {int8(0), int32(1), int32(1), int8(0), int32(1), int32(dilation)}}}};
  };
  CHECK_FALSE(is_needed(connected()));
  CHECK(is_needed(connected(), true));
  CHECK_FALSE(is_needed(conv(2, 1)));
  CHECK(is_needed(conv(1, 1)));
  CHECK(is_needed(conv(2, 2)));
  TestGraph graph = connected();
  graph.operators[0].code = 69;
  CHECK(is_needed(graph));
  graph.operators[0] = {32, {0, 1, 2}, {3}, {}, "Other"};
  CHECK(is_needed(graph));
  graph = connected();
  graph.tensors[0].type = 5;
  CHECK(is_needed(graph));
  CHECK_THROWS_WITH(tflite::try_load_model(as_bytes("no model"), {}, false),
                    ContainsSubstring("not a TensorFlow Lite model"));
}

TEST_CASE("A TensorFlow Lite model runs", "[tflite]") {
  GraphModel model = load(write({connected()}));
  REQUIRE(model.inputs().size() == 1);
  CHECK(model.inputs()[0].name == "x");
  CHECK(model.inputs()[0].type == "float32");
  CHECK(model.inputs()[0].shape == Shape{1, 2});
  REQUIRE(model.outputs().size() == 1);
  CHECK(model.outputs()[0].name == "y");
  CHECK(run(model, {"x"}, {Tensor::from({1.0F, 1.0F}, {1, 2})}) == std::vector<float>{3.5F, 0});
}

TEST_CASE("float16 weights behind DEQUANTIZE are constants", "[tflite]") {
  TestGraph graph = connected();
  // 1, 2, -1 and -2.
  graph.tensors[1] = {"w", {2, 2}};
  graph.tensors.push_back({"half",
                           {2, 2},
                           1,
                           number<std::uint16_t>(0x3c00) + number<std::uint16_t>(0x4000) +
                               number<std::uint16_t>(0xbc00) + number<std::uint16_t>(0xc000)});
  graph.operators.insert(graph.operators.begin(), {6, {4}, {1}});
  GraphModel model = load(write({graph}));
  CHECK(model.weights().size() == 2);
  CHECK(run(model, {"x"}, {Tensor::from({1.0F, 1.0F}, {1, 2})}) == std::vector<float>{3.5F, 0});
}

TEST_CASE("Quantized values are real numbers at the ends of a model", "[tflite]") {
  // y = x in steps of 0.5 from -64 to 63.5, relu.
  const TestGraph graph{.tensors = {{"x", {3}, 9, {}, {0.5F}, 0}, {"y", {3}, 9, {}, {0.5F}, 0}},
                        .inputs = {0},
                        .outputs = {1},
                        .operators = {{19, {0}, {1}}}};
  GraphModel model = load(write({graph}));
  CHECK(model.inputs()[0].type == "int8");
  CHECK(model.inputs()[0].dtype == DType::kFloat32);
  CHECK(run(model, {"x"}, {Tensor::from({-3.0F, 1.3F, 100.0F}, {3})}) == std::vector<float>{0, 1.5F, 63.5F});
  GraphModel stored = load(write({graph}), {.is_quantized = true});
  const Tensor result = stored
                            .run(stored.compile(std::vector<std::string>{"x"}, std::vector<std::string>{"y"}),
                                 Tensors{Tensor::from({-6, 3, 127}, {3})})
                            .at(0);
  CHECK(
      std::vector<std::int32_t>(result.values<std::int32_t>().begin(), result.values<std::int32_t>().end()) ==
      std::vector<std::int32_t>{0, 3, 127});
}

TEST_CASE("IF and WHILE run their subgraphs", "[tflite]") {
  // Doubles x until it is at least 100.
  const TestGraph main{.tensors = {{"x", {}}, {"y", {}}},
                       .inputs = {0},
                       .outputs = {1},
                       .operators = {{119, {0}, {1}, {int32(1), int32(2)}}}};
  const TestGraph condition{.tensors = {{"a", {}}, {"limit", {}, 0, floats({100})}, {"less", {}, 6}},
                            .inputs = {0},
                            .outputs = {2},
                            .operators = {{58, {0, 1}, {2}}}};
  const TestGraph body{
      .tensors = {{"a", {}}, {"b", {}}}, .inputs = {0}, .outputs = {1}, .operators = {{0, {0, 0}, {1}}}};
  GraphModel model = load(write({main, condition, body}));
  CHECK(run(model, {"x"}, {Tensor::scalar(3.0F)}) == std::vector<float>{192});

  const TestGraph choice{.tensors = {{"p", {}, 6}, {"x", {}}, {"y", {}}},
                         .inputs = {0, 1},
                         .outputs = {2},
                         .operators = {{118, {0, 1}, {2}, {int32(1), int32(2)}}}};
  const TestGraph negate{
      .tensors = {{"a", {}}, {"b", {}}}, .inputs = {0}, .outputs = {1}, .operators = {{59, {0}, {1}}}};
  GraphModel chosen = load(write({choice, negate, body}));
  Tensor yes({{}, DType::kBool});
  *yes.mutable_data<std::uint8_t>() = 1;
  CHECK(run(chosen, {"p", "x"}, {yes, Tensor::scalar(3.0F)}) == std::vector<float>{-3});
}

TEST_CASE("Errors of TensorFlow Lite models name the node", "[tflite][hostile]") {
  TestGraph graph = connected();
  graph.operators[0].code = 31;
  CHECK_THROWS_WITH(load(write({graph})),
                    ContainsSubstring("node 0 (CALL version 3): the op is not supported"));
  graph.operators[0].code = 32;
  graph.operators[0].custom = "Secret";
  CHECK_THROWS_WITH(load(write({graph})), ContainsSubstring("node 0 (custom op \"Secret\")"));
  graph = connected();
  graph.operators[0].inputs[0] = 7;
  CHECK_THROWS_WITH(load(write({graph})),
                    ContainsSubstring("subgraph 0: operator 0: one of its inputs is tensor 7 of 4"));
  graph = connected();
  graph.tensors[1].data.pop_back();
  CHECK_THROWS_WITH(load(write({graph})), ContainsSubstring("the constant \"w\": it has 15 bytes of data"));
  graph = connected();
  graph.inputs.clear();
  CHECK_THROWS_WITH(load(write({graph})),
                    ContainsSubstring("tensor 0, \"x\", is neither a constant nor computed"));
  CHECK_THROWS_WITH(load(write({connected()}), {.signature = "other"}),
                    ContainsSubstring("no signature \"other\""));
}

TEST_CASE("A filter does not fit images without channels", "[tflite][hostile]") {
  const TestGraph graph{
      .tensors = {{"x", {1, 3, 3, 0}}, {"w", {2, 1, 1, 2}, 0, floats({1, 2, 3, 4})}, {"y", {1, 3, 3, 2}}},
      .inputs = {0},
      .outputs = {2},
      .operators = {{3, {0, 1}, {2}, {int8(0), int32(1), int32(1)}}}};
  GraphModel model = load(write({graph}));
  CHECK_THROWS_WITH(
      run(model, {"x"}, {Tensor({{1, 3, 3, 0}, DType::kFloat32})}),
      ContainsSubstring("a filter of 2 channels and 2 filters does not fit images of [1,3,3,0]"));
}

TEST_CASE("The number of segments does not overflow", "[tflite][hostile]") {
  const TestGraph graph{.tensors = {{"x", {1}}, {"ids", {1}, 2, number(INT32_MAX)}, {"y", {1}}},
                        .inputs = {0},
                        .outputs = {2},
                        .operators = {{125, {0, 1}, {2}}}};
  GraphModel model = load(write({graph}));
  CHECK_THROWS_WITH(run(model, {"x"}, {Tensor::from({1.0F}, {1})}),
                    ContainsSubstring("segment 2147483647 is too large (in the node \"y\", op SEGMENT_SUM)"));
}

TEST_CASE("Strings that a model takes are compared", "[tflite][hostile]") {
  constexpr int kString = 5;
  constexpr int kBool = 6;
  const TestGraph graph{.tensors = {{"x", {2}, kString}, {"z", {2}, kString}, {"y", {2}, kBool}},
                        .inputs = {0, 1},
                        .outputs = {2},
                        .operators = {{71, {0, 1}, {2}}}};
  GraphModel model = load(write({graph}));
  const std::vector<std::string> inputs{"x", "z"};
  const std::vector<std::string> outputs{"y"};
  const Tensors values{make_string_tensor(std::vector<std::string_view>{"a", "b"}, {2}),
                       make_string_tensor(std::vector<std::string_view>{"a", "c"}, {2})};
  const Tensor result = model.run(model.compile(inputs, outputs), values).at(0);
  CHECK(result.data<std::uint8_t>()[0] == 1);
  CHECK(result.data<std::uint8_t>()[1] == 0);
}

TEST_CASE("UNPACK and SPLIT have an output for each part", "[tflite][hostile]") {
  const std::vector<TestTensor> tensors{{"x", {4}}, {"axis", {}, 2, int32(0)}, {"y", {}}};
  const TestGraph unpack{
      .tensors = tensors, .inputs = {0}, .outputs = {2}, .operators = {{88, {0}, {2}, {int32(4)}}}};
  const TestGraph split{
      .tensors = tensors, .inputs = {0}, .outputs = {2}, .operators = {{49, {1, 0}, {2}, {int32(4)}}}};
  for (const TestGraph& graph : {unpack, split}) {
    GraphModel model = load(write({graph}));
    CHECK_THROWS_WITH(run(model, {"x"}, {Tensor::from({1.0F, 2.0F, 3.0F, 4.0F}, {4})}),
                      ContainsSubstring("it has 1 outputs for 4 parts"));
  }
}

TEST_CASE("Hash tables are read with all inputs, and after their import", "[tflite][hostile]") {
  constexpr int kInt64 = 4;
  constexpr int kString = 5;
  constexpr int kResource = 13;
  const TestOperator table{136, {}, {0}, {int32(1), int8(kInt64), int8(kString)}};
  TestGraph find{.tensors = {{"table", {1}, kResource},
                             {"keys", {1}, kInt64},
                             {"rest", {1}, kString},
                             {"y", {1}, kString}},
                 .inputs = {1, 2},
                 .outputs = {3},
                 .operators = {table, {137, {0, 1, 2}, {3}}}};
  const std::string message =
      "node 1 (HASHTABLE_FIND version 3): the hash table is read before it is imported";
  CHECK_THROWS_WITH(load(write({find})), ContainsSubstring(message));
  for (std::size_t i = 0; i < 3; ++i) {
    TestGraph absent = find;
    absent.operators[1].inputs[i] = -1;
    CHECK_THROWS_WITH(
        load(write({absent})),
        ContainsSubstring(text("node 1 (HASHTABLE_FIND version 3): input ", i, " is left out")));
  }
  TestGraph size{.tensors = {{"table", {1}, kResource}, {"y", {1}, kInt64}},
                 .inputs = {},
                 .outputs = {1},
                 .operators = {table, {139, {0}, {1}}}};
  CHECK_THROWS_WITH(load(write({size})), ContainsSubstring("the hash table is read before it is imported"));
}

TEST_CASE("A file that refers to one text again and again is an error", "[tflite][hostile]") {
  constexpr std::size_t kCopies = 20000;
  const std::string name(100000, 'n');
  const auto write_named = [&](std::size_t tensors, std::size_t operators) {
    Builder builder;
    const Target buffer = builder.table({});
    const Target code = builder.table({int8(59), {}, int32(1), int32(59)});
    const Target first = builder.table({builder.numbers(std::vector<std::int32_t>{1}), int8(0), int32(0)});
    const Target long_name = builder.text(name);
    const Target second =
        builder.table({builder.numbers(std::vector<std::int32_t>{1}), int8(0), int32(0), long_name});
    std::vector<Target> list(tensors, second);
    list.insert(list.begin(), first);
    const Target op = builder.table({int32(0), builder.numbers(std::vector<std::int32_t>{0}),
                                     builder.numbers(std::vector<std::int32_t>{1})});
    const Target graph = builder.table({builder.targets(list), builder.numbers(std::vector<std::int32_t>{0}),
                                        builder.numbers(std::vector<std::int32_t>{1}),
                                        builder.targets(std::vector<Target>(operators, op))});
    return builder.file(builder.table({int32(3), builder.targets({code}), builder.targets({graph}),
                                       builder.text("test"), builder.targets({buffer})}));
  };
  CHECK_NOTHROW(load(write_named(1, 1)));
  CHECK_THROWS_WITH(load(write_named(kCopies, 1)), ContainsSubstring("its vectors have more than"));
  CHECK_THROWS_WITH(load(write_named(1, kCopies)),
                    ContainsSubstring("the names of its nodes take more than"));
}

TEST_CASE("Files cut short anywhere are errors", "[tflite][hostile]") {
  const std::string file = write({connected()});
  for (std::size_t size = 0; size < file.size(); ++size) {
    INFO(size);
    CHECK_THROWS_AS(load(file.substr(0, size)), Error);
  }
  CHECK_THROWS_WITH(load(""), ContainsSubstring("the file is not a TensorFlow Lite model: byte 4"));
  CHECK_THROWS_WITH(load("0123456789"), ContainsSubstring("identifier"));
}

TEST_CASE("Flipped bytes are errors or other models", "[tflite][hostile]") {
  TestGraph quantized{.tensors = {{"x", {1, 2}, 9, {}, {0.5F}},
                                  {"w", {2, 2}, 9, std::string("\1\2\377\376", 4), {0.25F}},
                                  {"b", {2}, 2, int32(3) + int32(-3)},
                                  {"y", {1, 2}, 9, {}, {0.5F}}},
                      .inputs = {0},
                      .outputs = {3},
                      .operators = {{9, {0, 1, 2}, {3}, {int8(1)}}}};
  std::mt19937 random(7);
  for (const std::string& whole : {write({connected()}), write({quantized})}) {
    for (std::size_t at = 0; at < whole.size(); ++at) {
      for (const int value : {0, 1, 0x7f, 0x80, 0xff}) {
        std::string file = whole;
        file[at] = static_cast<char>(value);
        load_and_run(file);
      }
    }
    for (int i = 0; i < 5000; ++i) {
      std::string file = whole;
      for (int k = 0; k < 3; ++k) file[random() % file.size()] = static_cast<char>(random());
      load_and_run(file);
    }
  }
}
