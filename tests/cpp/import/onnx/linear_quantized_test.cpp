// Ops of com.microsoft on values of 8 bits with scales and zero points.

#include "catch.h"
#include "core/error.h"
#include "core/memory/allocator.h"
#include "import/onnx/load.h"
#include "ops/ops.h"
#include "protobuf.h"

using namespace tenure;
using namespace tenure::test;
using namespace tenure::test::proto;
using Catch::Matchers::ContainsSubstring;
using Values = std::vector<std::int32_t>;

namespace {

std::string initializer(std::string_view tensor) { return bytes(5, tensor); }

/// Returns a model of one node that reads x. "s" is the scale 0.5, "z" the zero point 10, "t" the scale 0.25.
std::string make_model(std::string_view op, std::initializer_list<std::string_view> inputs, int type,
                       const std::string& attributes = {}, std::string_view constants = {}) {
  const std::string zero = type == kInt8 ? raw<std::int8_t>({10}) : raw<std::uint8_t>({10});
  return proto::model(node(op, inputs, {"y"}, attributes, "com.microsoft") +
                          input(value("x", type, {}, false)) + output(value("y", type, {}, false)) +
                          initializer(tensor("s", kFloat, {}, raw({0.5F}))) +
                          initializer(tensor("t", kFloat, {1}, raw({0.25F}))) +
                          initializer(tensor("z", type, {}, zero)) + std::string(constants),
                      17, bytes(8, bytes(1, "com.microsoft") + integer(2, 1)));
}

Tensor run(const std::string& file, const Tensor& x) {
  GraphModel model = onnx::load_model(as_bytes(file));
  const int program = model.compile(std::vector<std::string>{"x"}, std::vector<std::string>{"y"});
  return model.run(program, std::span(&x, 1))[0];
}

Values integers(const Tensor& x) {
  const std::span<const std::int32_t> values = x.values<std::int32_t>();
  return {values.begin(), values.end()};
}

}  // namespace

TEST_CASE("Linear ops quantize their results to the type of their inputs", "[onnx][quantized]") {
  const std::size_t live = allocator_stats().live;
  {
    const Tensor x = Tensor::from({10, 14, 0, 127}, {4});
    // (0 2 -5 58.5) + the same, in steps of 0.25.
    const auto add = [&](int type) {
      return integers(run(make_model("QLinearAdd", {"x", "s", "z", "x", "s", "z", "t", "z"}, type), x));
    };
    CHECK(add(kUint8) == Values{10, 26, 0, 255});
    CHECK(add(kInt8) == Values{10, 26, -30, 127});
    // Without zero points.
    CHECK(integers(run(make_model("QLinearMul", {"x", "s", "", "x", "s", "", "s"}, kInt8),
                       Tensor::from({3, -4, 100}, {3}))) == Values{4, 8, 127});
    CHECK(integers(run(make_model("QLinearConcat", {"t", "z", "x", "s", "z", "x", "t", "z"}, kUint8,
                                  int_attribute("axis", 0)),
                       Tensor::from({10, 14}, {2}))) == Values{10, 18, 10, 14});
    // All values from the axis on are normalized together before op set 13.
    const auto softmax = [&](int opset) {
      const std::string attributes = int_attribute("axis", 0) + int_attribute("opset", opset);
      return integers(run(make_model("QLinearSoftmax", {"x", "s", "z", "t", "z"}, kUint8, attributes),
                          Tensor::from({10, 10, 10, 10}, {2, 2})));
    };
    CHECK(softmax(13) == Values{12, 12, 12, 12});
    CHECK(softmax(12) == Values{11, 11, 11, 11});
  }
  CHECK(allocator_stats().live == live);
}

TEST_CASE("QGemm adds a bias of integers, and returns floats without a scale for them", "[onnx][quantized]") {
  const std::string constants = initializer(tensor("w", kInt8, {2, 2}, raw<std::int8_t>({1, 2, 3, -4}))) +
                                initializer(tensor("b", kInt32, {2}, raw<std::int32_t>({100, -100})));
  const Tensor x = Tensor::from({11, 12}, {1, 2});
  const std::string attributes = int_attribute("transB", 1);
  const Tensor floats =
      run(make_model("QGemm", {"x", "s", "z", "w", "t", "", "b"}, kUint8, attributes, constants), x);
  REQUIRE(floats.dtype() == DType::kFloat32);
  CHECK(floats.values<float>()[0] == 105 * 0.125F);
  CHECK(floats.values<float>()[1] == -105 * 0.125F);
  const Tensor bytes = run(
      make_model("QGemm", {"x", "s", "z", "w", "t", "", "b", "s", "z"}, kUint8, attributes, constants), x);
  CHECK(integers(bytes) == Values{36, 0});
}

TEST_CASE("A dynamically quantized LSTM computes with the weights that its integers stand for",
          "[onnx][quantized]") {
  constexpr int kHidden = 2;
  constexpr int kInputs = 3;
  constexpr int kColumns = 4 * kHidden;
  // Quantized weights are [1, inputs, columns], the others [1, columns, inputs].
  const auto make_weights = [&](int inputs, float scale, int zero) {
    std::pair<std::string, std::string> weights;
    std::vector<float> floats(static_cast<std::size_t>(inputs * kColumns));
    for (int i = 0; i < inputs; ++i) {
      for (int k = 0; k < kColumns; ++k) {
        const int value = (i * 37 + k * 91) % 256 - 128;
        weights.first += static_cast<char>(value);
        const int at = k * inputs + i;
        floats[static_cast<std::size_t>(at)] = scale * static_cast<float>(value - zero);
      }
    }
    weights.second.assign(reinterpret_cast<const char*>(floats.data()), floats.size() * sizeof(float));
    return weights;
  };
  const auto [w8, w] = make_weights(kInputs, 0.01F, 3);
  const auto [r8, r] = make_weights(kHidden, 0.02F, -5);
  const std::string hidden = int_attribute("hidden_size", kHidden);
  const std::string file = proto::model(
      node("LSTM", {"x", "w", "r"}, {"y"}, hidden) +
          node("DynamicQuantizeLSTM", {"x", "w8", "r8", "", "", "", "", "", "ws", "wz", "rs", "rz"}, {"z"},
               hidden, "com.microsoft") +
          input(value("x", kFloat, {2, 1, kInputs})) + output(value("y", kFloat)) +
          output(value("z", kFloat)) + initializer(tensor("w", kFloat, {1, kColumns, kInputs}, w)) +
          initializer(tensor("r", kFloat, {1, kColumns, kHidden}, r)) +
          initializer(tensor("w8", kInt8, {1, kInputs, kColumns}, w8)) +
          initializer(tensor("r8", kInt8, {1, kHidden, kColumns}, r8)) +
          initializer(tensor("ws", kFloat, {1}, raw({0.01F}))) +
          initializer(tensor("wz", kInt8, {1}, raw<std::int8_t>({3}))) +
          initializer(tensor("rs", kFloat, {1}, raw({0.02F}))) +
          initializer(tensor("rz", kInt8, {1}, raw<std::int8_t>({-5}))),
      17, bytes(8, bytes(1, "com.microsoft") + integer(2, 1)));
  GraphModel model = onnx::load_model(as_bytes(file));
  const int program = model.compile(std::vector<std::string>{"x"}, std::vector<std::string>{"y", "z"});
  const Tensor x = Tensor::from({0.5F, -1.0F, 2.0F, 0.25F, 1.0F, -0.5F}, {2, 1, kInputs});
  const Tensors results = model.run(program, std::span(&x, 1));
  REQUIRE(results[0].shape() == results[1].shape());
  CHECK(max(abs(sub(results[0], results[1]))).data<float>()[0] < 1e-5F);
}

TEST_CASE("Linear ops refuse inputs that do not fit", "[onnx][quantized][hostile]") {
  const Tensor x = Tensor::from({1, 2}, {2});
  CHECK_THROWS_WITH(run(make_model("QLinearConcat", {"t", "z", "x", "s"}, kUint8), x),
                    ContainsSubstring("it has 4 inputs"));
  CHECK_THROWS_AS(run(make_model("QLinearAdd", {"x", "s"}, kUint8), x), Error);
  CHECK_THROWS_AS(run(make_model("QLinearAdd", {"x", "x", "z", "x", "s", "z", "t", "z"}, kUint8), x), Error);
  CHECK_THROWS_WITH(run(make_model("QGemm", {"x", "s", "z", "x", "t"}, kUint8), x),
                    ContainsSubstring("expected a matrix"));
  CHECK_THROWS_WITH(run(make_model("MatMulBnb4", {"x", "x", "s"}, kUint8,
                                   int_attribute("K", 1 << 30) + int_attribute("N", 1 << 30) +
                                       int_attribute("block_size", 16)),
                        x),
                    ContainsSubstring("do not fit"));
}
