#include <cmath>

#include "catch.h"
#include "core/strings.h"
#include "import/onnx/load.h"
#include "protobuf.h"

using namespace tenure;
using namespace tenure::test;
using namespace tenure::test::proto;
using Catch::Matchers::ContainsSubstring;

namespace {

int type_of(const Tensor& x) {
  return x.dtype() == DType::kString ? kString : x.dtype() == DType::kInt32 ? kInt64 : kFloat;
}

/// Runs a node of ai.onnx.ml twice, as the second run uses what the first has prepared.
Tensor run(std::string_view op, const std::string& attributes, const Tensor& x, int type = kFloat) {
  const std::string opset = bytes(8, bytes(1, "ai.onnx.ml") + integer(2, 4));
  const std::string graph = node(op, {"x"}, {"y"}, attributes, "ai.onnx.ml") +
                            input(value("x", type_of(x), {}, false)) + output(value("y", type, {}, false));
  GraphModel model = onnx::load_model(as_bytes(proto::model(graph, 17, opset)), {});
  const auto compiled = model.compile(std::vector<std::string>{"x"}, std::vector<std::string>{"y"});
  const Tensors given = {x};
  model.run(compiled, given);
  return model.run(compiled, given)[0];
}

Tensor texts(const std::vector<std::string_view>& list) {
  return make_string_tensor(list, {static_cast<std::int32_t>(list.size())});
}

std::vector<float> floats(const Tensor& x) {
  const std::span<const float> values = x.values<float>();
  return {values.begin(), values.end()};
}

std::vector<std::int32_t> integers(const Tensor& x) {
  const std::span<const std::int32_t> values = x.values<std::int32_t>();
  return {values.begin(), values.end()};
}

std::vector<std::string> strings(const Tensor& x) {
  std::vector<std::string> list;
  const Strings values(x);
  for (std::size_t i = 0; i < values.size(); ++i) list.emplace_back(values[i]);
  return list;
}

std::string float_attribute(std::string_view name, float value) {
  return bytes(5, bytes(1, name) + number(2, value) + integer(20, 1));
}
std::string string_attribute(std::string_view name, std::string_view text) {
  return bytes(5, bytes(1, name) + bytes(4, text) + integer(20, 3));
}

}  // namespace

TEST_CASE("Features are scaled, normalized, binarized and imputed", "[onnx][features]") {
  const Tensor x = Tensor::from({1.0F, 2.0F, 3.0F, 6.0F}, {2, 2});
  CHECK(floats(run("Scaler", floats_attribute("offset", {1, 2}) + floats_attribute("scale", {10}), x)) ==
        std::vector<float>{0, 0, 20, 40});
  CHECK(floats(run("Normalizer", string_attribute("norm", "L1"),
                   Tensor::from({0.0F, 0.0F, -1.0F, 3.0F}, {2, 2}))) ==
        std::vector<float>{0, 0, -0.25F, 0.75F});
  CHECK(floats(run("Normalizer", string_attribute("norm", "L2"), Tensor::from({3.0F, -4.0F}, {2}))) ==
        std::vector<float>{0.6F, -0.8F});
  CHECK(floats(run("Binarizer", float_attribute("threshold", 2), x)) == std::vector<float>{0, 0, 1, 1});
  CHECK(floats(run(
            "Imputer",
            floats_attribute("imputed_value_floats", {7, 8}) + float_attribute("replaced_value_float", NAN),
            Tensor::from({NAN, 1.0F, 2.0F, NAN}, {2, 2}))) == std::vector<float>{7, 1, 2, 8});
  CHECK(integers(run("Imputer",
                     ints_attribute("imputed_value_int64s", {9}) + int_attribute("replaced_value_int64", -1),
                     Tensor::from({-1, 3}, {2}), kInt64)) == std::vector{9, 3});
  CHECK_THROWS_WITH(run("Scaler", floats_attribute("scale", {1, 2, 3}), x), ContainsSubstring("3 values"));
}

TEST_CASE("A ZipMap returns its tensor in place of maps", "[onnx][features]") {
  const std::string map = bytes(5, integer(1, kInt64) + bytes(2, bytes(1, integer(1, kFloat))));
  const std::string maps = bytes(1, "y") + bytes(2, bytes(4, bytes(1, map)));
  const std::string graph =
      node("ZipMap", {"x"}, {"y"}, ints_attribute("classlabels_int64s", {3, 5}), "ai.onnx.ml") +
      input(value("x", kFloat, {}, false)) + output(maps);
  const std::string opset = bytes(8, bytes(1, "ai.onnx.ml") + integer(2, 1));
  GraphModel model = onnx::load_model(as_bytes(proto::model(graph, 17, opset)), {});
  CHECK(model.outputs()[0].type == "float32");
  CHECK(model.outputs()[0].container.empty());
  const int program = model.compile(std::vector<std::string>{"x"}, std::vector<std::string>{"y"});
  const Tensors given = {Tensor::from({0.25F, 0.75F}, {1, 2})};
  CHECK(floats(model.run(program, given)[0]) == std::vector<float>{0.25F, 0.75F});
}

TEST_CASE("A ZipMap whose output is declared as a tensor keeps the shape", "[onnx][features]") {
  const std::string graph =
      node("ZipMap", {"x"}, {"y"}, ints_attribute("classlabels_int64s", {3, 5}), "ai.onnx.ml") +
      input(value("x", kFloat, {}, false)) + output(value("y", kFloat, {-1, 2}));
  const std::string opset = bytes(8, bytes(1, "ai.onnx.ml") + integer(2, 1));
  const GraphModel model = onnx::load_model(as_bytes(proto::model(graph, 17, opset)), {});
  CHECK(model.outputs()[0].shape == Shape{-1, 2});
}

TEST_CASE("Labels and categories are looked up, the last of equal keys first", "[onnx][features]") {
  const std::string to_integers =
      strings_attribute("keys_strings", {"a", "b", "a"}) + ints_attribute("values_int64s", {1, 2, 3});
  CHECK(integers(run("LabelEncoder", to_integers, texts({"b", "a", "z"}), kInt64)) == std::vector{2, 3, -1});
  const std::string to_texts =
      floats_attribute("keys_floats", {0.5F, NAN}) + strings_attribute("values_strings", {"half", "missing"});
  CHECK(strings(run("LabelEncoder", to_texts, Tensor::from({NAN, 0.5F, 1.0F}, {3}), kString)) ==
        std::vector<std::string>{"missing", "half", "_Unused"});
  const std::string categories =
      ints_attribute("cats_int64s", {5, 6}) + strings_attribute("cats_strings", {"five", "six"});
  CHECK(integers(run("CategoryMapper", categories, texts({"six", "ten"}), kInt64)) == std::vector{6, -1});
  CHECK(strings(run("CategoryMapper", categories, Tensor::from({5, 7}, {2}), kString)) ==
        std::vector<std::string>{"five", "_Unused"});
  CHECK(floats(run("OneHotEncoder", ints_attribute("cats_int64s", {4, 2}), Tensor::from({2, 3}, {2}))) ==
        std::vector<float>{0, 1, 0, 0});
  CHECK_THROWS_WITH(run("OneHotEncoder", ints_attribute("cats_int64s", {4}) + int_attribute("zeros", 0),
                        Tensor::from({4, 3}, {2})),
                    ContainsSubstring("element 1 of the input is in no category"));
  CHECK_THROWS_WITH(run("LabelEncoder", to_integers, Tensor::from({1}, {1}), kInt64),
                    ContainsSubstring("the keys are string"));
  CHECK_THROWS_WITH(run("LabelEncoder", ints_attribute("keys_int64s", {1}), Tensor::from({1}, {1}), kInt64),
                    ContainsSubstring("no values"));
}
