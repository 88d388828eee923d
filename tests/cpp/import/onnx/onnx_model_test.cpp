#include <algorithm>
#include <cstring>

#include "catch.h"
#include "core/error.h"
#include "core/memory/allocator.h"
#include "import/onnx/load.h"
#include "protobuf.h"

using namespace tenure;
using namespace tenure::test;
using namespace tenure::test::proto;
using Catch::Matchers::ContainsSubstring;

namespace {

GraphModel load(const std::string& file, const onnx::LoadOptions& options = {}) {
  return onnx::load_model(as_bytes(file), options);
}

Tensors run(GraphModel& model, const std::vector<std::string>& inputs, const Tensors& values,
            const std::vector<std::string>& outputs = {"y"}) {
  return model.run(model.compile(inputs, outputs), values);
}

std::vector<float> floats(const Tensor& tensor) {
  const auto values = tensor.values<float>();
  return {values.begin(), values.end()};
}

Tensor boolean(bool value) {
  Tensor tensor({{}, DType::kBool});
  *tensor.mutable_data<std::uint8_t>() = value ? 1 : 0;
  return tensor;
}

std::string ports() { return input(value("x", kFloat, {-1})) + output(value("y", kFloat, {-1})); }

}  // namespace

TEST_CASE("An ONNX model has declared inputs and outputs", "[onnx]") {
  GraphModel model = load(proto::model(node("Neg", {"x"}, {"y"}) + input(value("x", kFloat16, {-1, 3})) +
                                       output(value("y", kInt64, {}, false))));
  REQUIRE(model.inputs().size() == 1);
  CHECK(model.inputs()[0].name == "x");
  CHECK(model.inputs()[0].type == "float16");
  CHECK(model.inputs()[0].dtype == DType::kFloat32);
  CHECK(model.inputs()[0].shape == Shape{-1, 3});
  CHECK(model.inputs()[0].symbols == std::vector<std::string>{"n", ""});
  REQUIRE(model.outputs().size() == 1);
  CHECK(model.outputs()[0].type == "int64");
  CHECK_FALSE(model.outputs()[0].shape.has_value());
}

TEST_CASE("A type may state what its tensors stand for", "[onnx]") {
  const std::string type = bytes(6, "IMAGE") + bytes(1, integer(1, kFloat)) + bytes(6, "IMAGE");
  const GraphModel model = load(
      proto::model(node("SequenceAt", {"s", "i"}, {"y"}) + input(bytes(1, "x") + bytes(2, type)) +
                   input(value("i", kInt64)) + input(bytes(1, "s") + bytes(2, bytes(4, bytes(1, type)))) +
                   output(value("y", kFloat, {}, false))));
  CHECK(model.inputs()[0].type == "float32");
  CHECK(model.inputs()[2].container == "sequence");
}

TEST_CASE("Nodes of a file in any order are sorted", "[onnx]") {
  GraphModel model = load(proto::model(node("Sub", {"a", "x"}, {"y"}) + node("Add", {"b", "b"}, {"a"}) +
                                       node("Neg", {"x"}, {"b"}) + ports()));
  CHECK(floats(run(model, {"x"}, {Tensor::from({1.0F, 2.0F}, {2})})[0]) == std::vector<float>{-3, -6});
}

TEST_CASE("A node is sorted after the nodes that its graphs read", "[onnx]") {
  // Both graphs read "a" of the outer graph, one as its output; "t" is a name of theirs.
  const std::string then_graph = node("Neg", {"a"}, {"t"}) + output(value("t", kFloat, {-1}));
  const std::string else_graph = output(value("a", kFloat, {-1}));
  const std::string nodes =
      node("If", {"condition"}, {"y"},
           graph_attribute("then_branch", then_graph) + graph_attribute("else_branch", else_graph)) +
      node("Neg", {"y"}, {"t"}) + node("Add", {"x", "x"}, {"a"});
  GraphModel model = load(proto::model(nodes + input(value("condition", kBool)) + ports()));
  for (const bool condition : {true, false}) {
    const Tensors found =
        run(model, {"x", "condition"}, {Tensor::from({2.0F}, {1}), boolean(condition)}, {"y", "t"});
    const float expected = condition ? -4.0F : 4.0F;
    CHECK(floats(found[0]) == std::vector<float>{expected});
    CHECK(floats(found[1]) == std::vector<float>{-expected});
  }
}

TEST_CASE("Omitted inputs and outputs do not order nodes", "[onnx]") {
  GraphModel model =
      load(proto::model(node("ReduceMax", {"x"}, {"highest"}, int_attribute("keepdims", 0)) +
                            node("Clip", {"x", "", "highest"}, {"c"}) +
                            node("Split", {"c"}, {"", "y"}, int_attribute("num_outputs", 2)) + ports(),
                        18));
  CHECK(floats(run(model, {"x"}, {Tensor::from({1.0F, 2.0F}, {2})})[0]) == std::vector<float>{2});
}

TEST_CASE("Long chains in the opposite order are sorted, cycles are refused", "[onnx]") {
  std::string chain;
  for (int i = 100000; i-- > 0;) {
    const std::string from = i == 0 ? "x" : std::to_string(i);
    chain += node("Identity", {from}, {i == 99999 ? "y" : std::to_string(i + 1)});
  }
  GraphModel model = load(proto::model(chain + ports()));
  CHECK(floats(run(model, {"x"}, {Tensor::from({1.0F}, {1})})[0]) == std::vector<float>{1});
  CHECK_THROWS_WITH(load(proto::model(node("Add", {"x", "b"}, {"a"}) + node("Neg", {"a"}, {"b"}) +
                                      node("Neg", {"a"}, {"y"}) + ports())),
                    ContainsSubstring("or it depends on the node that reads it"));
  CHECK_THROWS_WITH(load(proto::model(node("Add", {"x", "y"}, {"y"}) + ports())),
                    ContainsSubstring("there is no value \"y\""));
}

TEST_CASE("Free dimensions get values when a model is loaded", "[onnx]") {
  GraphModel model = load(proto::model(node("Neg", {"x"}, {"y"}) + ports()), {.free_dimensions = {{"n", 2}}});
  CHECK(model.inputs()[0].shape == Shape{2});
  CHECK_THROWS_WITH(run(model, {"x"}, {Tensor::from({1.0F}, {1})}), ContainsSubstring("must be [2]"));
}

TEST_CASE("64-bit integers are clamped to 32 bits", "[onnx]") {
  const std::string file = proto::model(node("Slice", {"x", "begin", "end"}, {"y"}) + ports() +
                                        bytes(5, tensor("begin", kInt64, {1}, raw<std::int64_t>({1}))) +
                                        bytes(5, tensor("end", kInt64, {1}, raw<std::int64_t>({INT64_MAX}))));
  GraphModel model = load(file);
  CHECK(floats(run(model, {"x"}, {Tensor::from({1.0F, 2.0F, 3.0F}, {3})})[0]) == std::vector<float>{2, 3});
}

TEST_CASE("An initializer that is also an input is a default value", "[onnx]") {
  const std::string file =
      proto::model(node("Add", {"x", "b"}, {"y"}) + ports() + input(value("b", kFloat, {1})) +
                   bytes(5, tensor("b", kFloat, {1}, raw({10.0F}))));
  GraphModel model = load(file);
  CHECK(model.inputs().size() == 1);
  const Tensor x = Tensor::from({1.0F}, {1});
  CHECK(floats(run(model, {"x"}, {x})[0]) == std::vector<float>{11});
  CHECK(floats(run(model, {"x", "b"}, {x, Tensor::from({5.0F}, {1})})[0]) == std::vector<float>{6});
}

TEST_CASE("Tensors may be in other files", "[onnx]") {
  const std::string data = raw({0.0F, 7.0F});
  const auto entry = [](std::string_view key, std::string_view text) {
    return bytes(13, bytes(1, key) + bytes(2, text));
  };
  const auto file = [&](std::string_view offset) {
    return proto::model(node("Add", {"x", "b"}, {"y"}) + ports() +
                        bytes(5, integer(1, 1) + integer(2, kFloat) + bytes(8, "b") + integer(14, 1) +
                                     entry("location", "data") + entry("offset", offset) +
                                     entry("length", "4")));
  };
  const onnx::LoadOptions options{.files = {{"data", as_bytes(data)}}};
  GraphModel model = load(file("4"), options);
  CHECK(floats(run(model, {"x"}, {Tensor::from({1.0F}, {1})})[0]) == std::vector<float>{8});
  CHECK_THROWS_WITH(load(file("4")), ContainsSubstring("\"data\", which was not given"));
  CHECK_THROWS_WITH(load(file("5"), options), ContainsSubstring("4 bytes at 5"));
  CHECK_THROWS_WITH(load(file("18446744073709551615"), options), ContainsSubstring("has the offset"));
  CHECK_THROWS_WITH(load(file("-1"), options), ContainsSubstring("offset \"-1\""));
  CHECK_THROWS_WITH(onnx::find_requirements(as_bytes(file("-1"))),
                    ContainsSubstring("the initializer \"b\": its external data has the offset \"-1\""));
}

TEST_CASE("The requirements of a file have the external data of inner graphs and constants", "[onnx]") {
  const auto external = [](std::string_view name, std::string_view offset) {
    const auto entry = [](std::string_view key, std::string_view text) {
      return bytes(13, bytes(1, key) + bytes(2, text));
    };
    return integer(1, 1) + integer(2, kFloat) + bytes(8, name) + integer(14, 1) + entry("location", "data") +
           entry("offset", offset) + entry("length", "4");
  };
  const auto branch = [&](std::string_view offset) {
    return node("Add", {"x", "inner"}, {"r"}) + bytes(5, external("inner", offset)) +
           output(value("r", kFloat, {}, false));
  };
  const std::string file = proto::model(
      node("Constant", {}, {"k"}, tensor_attribute("value", external("", "0"))) +
      node("If", {"c"}, {"t"},
           graph_attribute("then_branch", branch("4")) + graph_attribute("else_branch", branch("8"))) +
      node("Add", {"t", "k"}, {"s"}) + node("Add", {"s", "w"}, {"y"}) + bytes(5, external("w", "12")) +
      ports() + input(value("c", kBool)));
  const onnx::Requirements found = onnx::find_requirements(as_bytes(file));
  std::vector<std::uint64_t> offsets;
  for (const onnx::ExternalRange& range : found.external) offsets.push_back(range.offset);
  std::sort(offsets.begin(), offsets.end());
  CHECK(offsets == std::vector<std::uint64_t>{0, 4, 8, 12});
  const std::string broken =
      proto::model(node("Constant", {}, {"y"}, tensor_attribute("value", external("", "-1"))) +
                   output(value("y", kFloat)));
  CHECK_THROWS_WITH(onnx::find_requirements(as_bytes(broken)),
                    ContainsSubstring("a constant: its external data has the offset \"-1\""));
}

TEST_CASE("The requirements of a file have the part that rounds to small floats", "[onnx]") {
  const auto is_rare = [](const std::string& file) {
    const onnx::Requirements found = onnx::find_requirements(as_bytes(file));
    return std::find(found.parts.begin(), found.parts.end(), "onnx_rare") != found.parts.end();
  };
  const auto of_node = [](const std::string& one) { return proto::model(one + ports(), 23); };
  CHECK_FALSE(is_rare(of_node(node("Cast", {"x"}, {"y"}, int_attribute("to", kFloat)))));
  CHECK(is_rare(of_node(node("Cast", {"x"}, {"y"}, int_attribute("to", 16)))));
  CHECK_FALSE(is_rare(of_node(node("QuantizeLinear", {"x", "s"}, {"y"}, int_attribute("output_dtype", 2)))));
  CHECK(is_rare(of_node(node("QuantizeLinear", {"x", "s"}, {"y"}, int_attribute("output_dtype", 17)))));
  const auto like = [&](int type) {
    return of_node(node("CastLike", {"x", "l"}, {"y"}) + input(value("l", type)));
  };
  CHECK_FALSE(is_rare(like(kFloat)));
  CHECK(is_rare(like(16)));
  // A function's node may have the type as an attribute of the call.
  const std::string reference = bytes(5, bytes(1, "to") + bytes(21, "type") + integer(20, 2));
  const std::string cast = bytes(1, "a") + bytes(2, "b") + bytes(4, "Cast") + reference;
  const std::string function = bytes(1, "cast") + bytes(4, "a") + bytes(5, "b") + bytes(6, "type") +
                               bytes(7, cast) + bytes(10, "mine");
  CHECK(is_rare(proto::model(node("cast", {"x"}, {"y"}, int_attribute("type", 16), "mine") + ports(), 23,
                             bytes(25, function))));
}

TEST_CASE("External data may be named with ./, and has the length of its tensor if it states none",
          "[onnx]") {
  const std::string data = raw({7.0F, 8.0F, 9.0F});
  const std::string location = bytes(13, bytes(1, "location") + bytes(2, "./data"));
  const std::string file =
      proto::model(node("Add", {"x", "b"}, {"y"}) + ports() +
                   bytes(5, integer(1, 2) + integer(2, kFloat) + bytes(8, "b") + integer(14, 1) + location));
  GraphModel model = load(file, {.files = {{"data", as_bytes(data)}}});
  CHECK(floats(run(model, {"x"}, {Tensor::from({1.0F}, {1})})[0]) == std::vector<float>{8, 9});
  const onnx::Requirements found = onnx::find_requirements(as_bytes(file));
  REQUIRE(found.external.size() == 1);
  CHECK(found.external[0].path == "data");
  CHECK_FALSE(found.external[0].length.has_value());
  // The range of another tensor may begin there, too.
  const std::span<const std::byte> all = as_bytes(data);
  GraphModel second = load(file, {.files = {{"data", all.first(4)}, {"data", all}}});
  CHECK(floats(run(second, {"x"}, {Tensor::from({1.0F}, {1})})[0]) == std::vector<float>{8, 9});
  CHECK_THROWS_WITH(load(file, {.files = {{"data", all.first(4)}}}),
                    ContainsSubstring("its data is 8 bytes at 0 of the file \"data\", which has 4"));
}

TEST_CASE("A tensor of all bytes of a storage shares it, and one of some bytes copies them", "[onnx]") {
  constexpr std::int32_t kCount = 1000;
  const auto file = [&](std::string_view offset) {
    const auto entry = [](std::string_view key, std::string_view text) {
      return bytes(13, bytes(1, key) + bytes(2, text));
    };
    return proto::model(node("Add", {"x", "b"}, {"y"}) + ports() +
                        bytes(5, integer(1, kCount) + integer(2, kFloat) + bytes(8, "b") + integer(14, 1) +
                                     entry("location", "data") + entry("offset", offset) +
                                     entry("length", "4000")));
  };
  const auto range = [](std::uint64_t offset, std::size_t size) {
    StoragePtr storage = Storage::allocate(size);
    std::memset(storage->mutable_data(), 0, size);
    const WeightData data(storage);
    return onnx::ExternalFile{"data", data.bytes, offset, storage};
  };
  const onnx::LoadOptions options{.files = {range(100, 4000), range(8000, 5000)}};
  const StoragePtr& whole = options.files[0].owner;
  const StoragePtr& part = options.files[1].owner;
  {
    const GraphModel model = load(file("100"), options);
    CHECK(model.weights().at(0).tensor.storage() == whole);
  }
  {
    GraphModel model = load(file("8200"), options);
    CHECK(model.weights().at(0).tensor.storage() != part);
    CHECK(floats(run(model, {"x"}, {Tensor::from({1.0F}, {1})})[0]) == std::vector<float>(kCount, 1.0F));
  }
  CHECK(whole->references() == 1);
  CHECK(part->references() == 1);
  CHECK_THROWS_WITH(load(file("4000"), options), ContainsSubstring("4000 bytes at 4000"));
}

TEST_CASE("If takes one of two graphs, which read values around it", "[onnx]") {
  const std::string then = node("Add", {"x", "one"}, {"t"}) + output(value("t", kFloat));
  const std::string otherwise = node("Neg", {"x"}, {"e"}) + output(value("e", kFloat));
  const std::string file =
      proto::model(node("If", {"c"}, {"y"},
                        graph_attribute("then_branch", then) + graph_attribute("else_branch", otherwise)) +
                   ports() + input(value("c", kBool)) + bytes(5, tensor("one", kFloat, {1}, raw({1.0F}))));
  GraphModel model = load(file);
  const Tensor x = Tensor::from({3.0F}, {1});
  CHECK(floats(run(model, {"x", "c"}, {x, boolean(true)})[0]) == std::vector<float>{4});
  CHECK(floats(run(model, {"x", "c"}, {x, boolean(false)})[0]) == std::vector<float>{-3});
}

TEST_CASE("Loop carries values and collects others", "[onnx]") {
  const std::string body = node("Add", {"v", "x"}, {"next"}) + node("Identity", {"in"}, {"out"}) +
                           node("Mul", {"next", "next"}, {"scan"}) + input(value("i", kInt64)) +
                           input(value("in", kBool)) + input(value("v", kFloat, {1})) +
                           output(value("out", kBool)) + output(value("next", kFloat, {1})) +
                           output(value("scan", kFloat, {1}));
  const std::string file =
      proto::model(node("Loop", {"n", "", "x"}, {"last", "y"}, graph_attribute("body", body)) + ports() +
                   input(value("n", kInt64)));
  GraphModel model = load(file);
  const Tensor x = Tensor::from({1.0F}, {1});
  for (int run_number = 0; run_number < 2; ++run_number) {
    const Tensors results = run(model, {"x", "n"}, {x, Tensor::scalar(3)}, {"last", "y"});
    CHECK(floats(results[0]) == std::vector<float>{4});
    CHECK(floats(results[1]) == std::vector<float>{4, 9, 16});
    CHECK(results[1].shape() == Shape{3, 1});
  }
  CHECK(run(model, {"x", "n"}, {x, Tensor::scalar(0)})[0].shape() == Shape{0, 1});
}

TEST_CASE("Functions of a model are inlined", "[onnx]") {
  const std::string function = bytes(1, "Twice") + bytes(4, "a") + bytes(5, "b") + bytes(10, "mine") +
                               bytes(9, integer(2, 17)) +
                               bytes(7, bytes(1, "a") + bytes(1, "a") + bytes(2, "b") + bytes(4, "Add"));
  const std::string file = proto::model(
      node("Twice", {"x"}, {"z"}, {}, "mine") + node("Twice", {"z"}, {"y"}, {}, "mine") + ports(), 17,
      bytes(25, function));
  GraphModel model = load(file);
  CHECK(floats(run(model, {"x"}, {Tensor::from({3.0F}, {1})})[0]) == std::vector<float>{12});
}

TEST_CASE("Op sets after the last known one, and other domains without a version, are no errors", "[onnx]") {
  GraphModel model =
      load(proto::model(node("Neg", {"x"}, {"y"}) + ports(), 99, bytes(8, bytes(1, "own.functions"))));
  CHECK(floats(run(model, {"x"}, {Tensor::from({1.0F}, {1})})[0]) == std::vector{-1.0F});
  CHECK_THROWS_WITH(load(proto::model(node("Nope", {"x"}, {"y"}) + ports(), 99)),
                    ContainsSubstring("the op Nope of the domain \"ai.onnx\", version 99, is not supported"));
}

TEST_CASE("ONNX models that are not right are errors that name the node", "[onnx][hostile]") {
  const std::size_t live = allocator_stats().live;
  CHECK_THROWS_WITH(load(""), ContainsSubstring("it has no graph"));
  CHECK_THROWS_WITH(load("{\"node\": []}"), ContainsSubstring("not an ONNX model"));
  CHECK_THROWS_WITH(
      load(proto::model(node("Nope", {"x"}, {"y"}, {}, "some.domain") + ports())),
      ContainsSubstring("the node \"y\" (Nope): the op Nope of the domain \"some.domain\", version 1"));
  CHECK_THROWS_WITH(load(proto::model(node("Neg", {"z"}, {"y"}) + ports())),
                    ContainsSubstring("there is no value \"z\""));
  CHECK_THROWS_WITH(load(proto::model(node("Neg", {"y"}, {"y"}) + ports())),
                    ContainsSubstring("there is no value \"y\""));
  CHECK_THROWS_WITH(load(proto::model(node("Neg", {"x"}, {"x"}) + ports())),
                    ContainsSubstring("two values have the name \"x\""));
  CHECK_THROWS_WITH(load(proto::model(ports() + bytes(5, tensor("w", kFloat, {2}, "abcd")))),
                    ContainsSubstring("the initializer \"w\": it has 4 bytes"));
  CHECK_THROWS_WITH(load(proto::model(ports() + bytes(5, tensor("w", kFloat, {-2}, "")))),
                    ContainsSubstring("the extent -2"));
  CHECK_THROWS_WITH(
      load(proto::model(ports() + bytes(5, tensor("w", kFloat, {1 << 30, 1 << 30, 1 << 30}, "")))),
      ContainsSubstring("the initializer \"w\""));
  CHECK_THROWS_WITH(load(proto::model(node("If", {"x"}, {"y"}) + ports())),
                    ContainsSubstring("it has no graph \"then_branch\""));
  CHECK_THROWS_WITH(
      load(proto::model(ports(), 0)),
      ContainsSubstring("it imports version 0 of the op set \"ai.onnx\", and versions begin at 1"));
  CHECK_THROWS_WITH(load(proto::model(ports(), -3)), ContainsSubstring("version -3"));
  CHECK_THROWS_WITH(load(proto::model(ports(), 17, bytes(8, bytes(1, "ai.onnx.ml")))),
                    ContainsSubstring("version 0 of the op set \"ai.onnx.ml\""));
  // A function that calls itself.
  const std::string function = bytes(1, "F") + bytes(4, "a") + bytes(5, "b") + bytes(10, "d") +
                               bytes(7, bytes(1, "a") + bytes(2, "b") + bytes(4, "F") + bytes(7, "d"));
  CHECK_THROWS_WITH(load(proto::model(node("F", {"x"}, {"y"}, {}, "d") + ports(), 17, bytes(25, function))),
                    ContainsSubstring("too deep"));
  std::string nested = node("Neg", {"x"}, {"t"}) + output(value("t", kFloat));
  for (int i = 0; i < 40; ++i) nested = node("If", {"x"}, {"t"}, graph_attribute("then_branch", nested));
  CHECK_THROWS_WITH(load(proto::model(nested + ports())), ContainsSubstring("nested too deep"));
  CHECK(allocator_stats().live == live);
}
