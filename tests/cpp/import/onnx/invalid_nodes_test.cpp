// Nodes of invalid files: attributes and shapes that would lead beyond a tensor's elements, or take for ever.

#include "catch.h"
#include "core/error.h"
#include "import/onnx/load.h"
#include "ops/ops.h"
#include "protobuf.h"

using namespace tenure;
using namespace tenure::test;
using namespace tenure::test::proto;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr std::string_view kContrib = "com.microsoft";
constexpr std::int64_t kHuge = INT32_MAX;

std::string port(std::string_view name, int type = kFloat) { return value(name, type, {}, false); }

/// Runs a node with the inputs "a", "b" ... and the output "y".
Tensor run(std::string_view op, std::string_view attributes, const Tensors& values, int opset = 17,
           std::string_view domain = {}) {
  const std::string_view letters = "abcd";
  std::vector<std::string> names;
  std::string ports = output(port("y"));
  std::string message;
  for (std::size_t i = 0; i < values.size(); ++i) {
    names.emplace_back(letters.substr(i, 1));
    ports += input(port(names[i], values[i].dtype() == DType::kInt32 ? kInt32 : kFloat));
    message += bytes(1, names[i]);
  }
  message += bytes(2, "y") + bytes(4, op) + std::string(attributes) + bytes(7, domain);
  const std::string file =
      proto::model(bytes(1, message) + ports, opset, bytes(8, bytes(1, kContrib) + integer(2, 1)));
  GraphModel model = onnx::load_model(as_bytes(file), {});
  return model.run(model.compile(names, std::vector<std::string>{"y"}), values)[0];
}

}  // namespace

TEST_CASE("A Scan without iterations checks the axes of its outputs", "[onnx]") {
  const std::string body = node("Neg", {"e"}, {"r"}) + input(port("e")) + output(value("r", kFloat, {2}));
  const auto scan = [&](std::int64_t axis) {
    return run("Scan",
               graph_attribute("body", body) + int_attribute("num_scan_inputs", 1) +
                   ints_attribute("scan_output_axes", {axis}),
               {fill({.shape = {0, 2}})});
  };
  CHECK(scan(1).shape() == Shape{2, 0});
  CHECK(scan(-2).shape() == Shape{0, 2});
  for (const std::int64_t axis : {std::int64_t{2}, std::int64_t{-3}, std::int64_t{100'000}, kHuge, -kHuge})
    CHECK_THROWS_WITH(scan(axis), ContainsSubstring("is out of range"));
}

TEST_CASE("RotaryEmbedding checks the ranks of its inputs", "[onnx]") {
  const Tensor x = fill({.shape = {1, 2, 4}});
  const Tensor scalar = Tensor::scalar(1.0F);
  const Tensor none = fill({.shape = {1, 2, 0}});
  const Tensor cache = fill({.shape = {1, 2}});
  const Tensor first = fill({.shape = {1}, .dtype = DType::kInt32});
  constexpr std::string_view kOp = "RotaryEmbedding";
  CHECK_THROWS_WITH(run(kOp, int_attribute("rotary_embedding_dim", 1'000'000), {x, scalar, scalar}, 23),
                    ContainsSubstring("expected angles [batch, length, size / 2], got []"));
  CHECK_THROWS_WITH(run(kOp, {}, {x, scalar, scalar}, 23), ContainsSubstring("expected angles"));
  CHECK_THROWS_AS(run(kOp, {}, {x, none, none}, 23), Error);
  for (const Shape& shape : {Shape{}, Shape{4}})
    CHECK_THROWS_WITH(run(kOp, {}, {fill({.shape = shape}), first, cache, cache}, 17, kContrib),
                      ContainsSubstring("expected an input of rank 3 or 4, got "));
}

TEST_CASE("RoiAlign refuses images without pixels", "[onnx]") {
  const Tensor regions = Tensor::from({0.0F, 0.0F, 1.0F, 1.0F}, {1, 4});
  const Tensor batches = fill({.shape = {1}, .dtype = DType::kInt32});
  for (const Shape& shape : {Shape{1, 1, 0, 4}, Shape{1, 1, 4, 0}})
    CHECK_THROWS_WITH(
        run("RoiAlign", int_attribute("sampling_ratio", 1), {fill({.shape = shape}), regions, batches}),
        ContainsSubstring("have no pixels"));
}

TEST_CASE("Split has as many parts as outputs", "[onnx]") {
  const Tensor x = fill({.shape = {4}});
  CHECK(run("Split", int_attribute("num_outputs", 1), {x}, 18).shape() == x.shape());
  for (const std::int64_t count : {std::int64_t{0}, std::int64_t{2}, kHuge})
    CHECK_THROWS_WITH(run("Split", int_attribute("num_outputs", count), {x}, 18),
                      ContainsSubstring("parts and has 1 outputs"));
}

TEST_CASE("Convolutions have no more groups than channels", "[onnx]") {
  const Tensor x = fill({.shape = {1, 0, 4, 4}});
  for (const std::string_view op : {"Conv", "ConvTranspose"})
    CHECK_THROWS_WITH(run(op, int_attribute("group", kHuge), {x, fill({.shape = {0, 0, 1, 1}})}),
                      ContainsSubstring("attribute \"group\" is 2147483647 for 0 channels"));
}

TEST_CASE("A ConvTranspose of volumes has no larger output than tensors", "[onnx][hostile]") {
  const Tensor x = fill({.shape = {1, 1, 1, 1, 1}});
  CHECK_THROWS_WITH(
      run("ConvTranspose",
          ints_attribute("output_padding", {kHuge - 1, 0, 0}) + ints_attribute("pads", {9, 0, 0, -9, 0, 0}),
          {x, x}),
      ContainsSubstring("an output of 2147483647 behind 9 pads is too large"));
}

TEST_CASE("A MaxPool with positions checks the slices of empty volumes", "[onnx][hostile]") {
  CHECK_THROWS_WITH(run("MaxPool", bytes(2, "positions") + ints_attribute("kernel_shape", {1, 1, 1}),
                        {fill({.shape = {65536, 0, 65536, 1, 1}})}),
                    ContainsSubstring("more than 2^31 - 1 elements"));
}

TEST_CASE("TfIdfVectorizer looks for no longer grams than its pool has", "[onnx]") {
  const std::string attributes =
      bytes(5, bytes(1, "mode") + bytes(4, "TF") + integer(20, 3)) + int_attribute("min_gram_length", 1) +
      int_attribute("max_gram_length", kHuge) + int_attribute("max_skip_count", kHuge) +
      ints_attribute("ngram_counts", {0, 1}) + ints_attribute("ngram_indexes", {0, 1}) +
      ints_attribute("pool_int64s", {7, 7, 8});
  const Tensor y = run("TfIdfVectorizer", attributes, {Tensor::from({7, 5, 8, 8}, {4})});
  // 7 is there once; of 7 and then 8, the second may be two or three words later.
  CHECK(y.values<float>()[0] == 1);
  CHECK(y.values<float>()[1] == 2);
  const Tensor none = run("TfIdfVectorizer", attributes, {Tensor({{0}, DType::kInt32})});
  CHECK(none.values<float>()[0] == 0);
  CHECK(none.values<float>()[1] == 0);
}

TEST_CASE("Functions that call one another without other nodes are counted", "[onnx]") {
  constexpr int kFunctions = 30;
  std::string functions;
  const auto name = [](int i) { return text("f", i); };
  for (int i = 0; i < kFunctions; ++i) {
    std::string function = bytes(1, name(i)) + bytes(4, "a") + bytes(10, "mine");
    const std::string call = bytes(1, "a") + bytes(4, name(i - 1)) + bytes(7, "mine");
    if (i > 0) function += bytes(7, call) + bytes(7, call);
    functions += bytes(25, function);
  }
  const std::string file =
      proto::model(node("Neg", {"x"}, {"y"}) + node(name(kFunctions - 1), {"x"}, {}, {}, "mine") +
                       input(port("x")) + output(port("y")),
                   17, functions);
  CHECK_THROWS_WITH(onnx::load_model(as_bytes(file), {}), ContainsSubstring("more than 262144 nodes"));
}

TEST_CASE("An input that a call leaves out is no output of a graph", "[onnx]") {
  const std::string function =
      bytes(1, "Second") + bytes(4, "a") + bytes(4, "b") + bytes(5, "b") + bytes(10, "mine");
  const auto load = [&](const std::string& nodes) {
    return onnx::load_model(as_bytes(proto::model(
        nodes + input(port("x")) + input(port("c", kBool)) + output(port("y")), 17, bytes(25, function))));
  };
  const auto call = [](std::string_view result) { return node("Second", {"x"}, {result}, {}, "mine"); };
  CHECK(load(node("Second", {"c", "x"}, {"y"}, {}, "mine")).outputs().size() == 1);
  CHECK_THROWS_WITH(load(call("y")),
                    ContainsSubstring("the output \"y\": the value \"y\" is an input of a function"));
  const std::string branch = call("t") + output(port("t"));
  CHECK_THROWS_WITH(
      load(node("If", {"c"}, {"y"},
                graph_attribute("then_branch", branch) + graph_attribute("else_branch", branch))),
      ContainsSubstring("(If): the value \"t\" is an input of a function"));
}

TEST_CASE("A file states the version of its ops", "[onnx]") {
  const std::string graph = bytes(7, node("Neg", {"x"}, {"y"}) + input(port("x")) + output(port("y")));
  CHECK_THROWS_WITH(onnx::load_model(as_bytes(integer(1, 8) + graph), {}),
                    ContainsSubstring("no opset_import"));
  CHECK(onnx::load_model(as_bytes(integer(1, 2) + graph), {}).inputs().size() == 1);
}
