#include <cmath>

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

namespace {

constexpr std::int32_t kDepth = 96;
constexpr std::int32_t kWidth = 64;
/// Allowance in bytes for nodes and bookkeeping.
constexpr std::size_t kElse = 16 << 10;

std::size_t live() { return allocator_stats().live; }

std::string some_bytes(std::size_t count) {
  std::string bytes(count, '\0');
  for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<char>(i * 37 + i / 11);
  return bytes;
}

std::string floats(std::size_t count, float first) {
  std::string bytes;
  for (std::size_t i = 0; i < count; ++i) bytes += raw({first + static_cast<float>(i % 5) * 0.01F});
  return bytes;
}

std::string initializer(std::string_view tensor) { return bytes(5, tensor); }
std::string ports(std::int64_t rows) {
  return input(value("x", kFloat, {rows, kDepth})) + output(value("y", kFloat, {rows, kWidth}));
}

/// Returns the model of a product as quantizers write it.
std::string dynamic_product(std::int64_t rows) {
  return proto::model(node("DynamicQuantizeLinear", {"x"}, {"q", "s", "z"}) +
                      node("MatMulInteger", {"q", "w", "z", "wz"}, {"sums"}) +
                      node("Cast", {"sums"}, {"real"}, int_attribute("to", kFloat)) +
                      node("Mul", {"s", "ws"}, {"scale"}) + node("Mul", {"real", "scale"}, {"scaled"}) +
                      node("Add", {"b", "scaled"}, {"y"}) + ports(rows) +
                      initializer(tensor("w", kInt8, {kDepth, kWidth}, some_bytes(kDepth * kWidth))) +
                      initializer(tensor("wz", kInt8, {}, raw<std::int8_t>({3}))) +
                      initializer(tensor("ws", kFloat, {}, raw({0.02F}))) +
                      initializer(tensor("b", kFloat, {kWidth}, floats(kWidth, 1))));
}

/// Returns the model of a product with weights of 4 bits.
std::string blocks_product(std::int64_t rows, std::int64_t block) {
  const std::int64_t blocks = kDepth / block;
  const std::string attributes = int_attribute("K", kDepth) + int_attribute("N", kWidth) +
                                 int_attribute("bits", 4) + int_attribute("block_size", block);
  return proto::model(
      node("MatMulNBits", {"x", "w", "s"}, {"y"}, attributes, "com.microsoft") + ports(rows) +
          initializer(tensor("w", kUint8, {kWidth, blocks, block / 2}, some_bytes(kWidth * kDepth / 2))) +
          initializer(tensor("s", kFloat, {kWidth * blocks},
                             floats(kWidth * static_cast<std::size_t>(blocks), 0.1F))),
      17, bytes(8, bytes(1, "com.microsoft") + integer(2, 1)));
}

int compile(GraphModel& model, const std::string& output) {
  const std::vector<std::string> inputs = {"x"};
  const std::vector<std::string> outputs = {output};
  return model.compile(inputs, outputs);
}
Tensor run(GraphModel& model, int program, const Tensor& x) {
  return model.run(program, std::span(&x, 1))[0];
}

Tensor make_x(std::int32_t rows) {
  Tensor x({{rows, kDepth}, DType::kFloat32});
  for (std::size_t i = 0; i < x.elements(); ++i)
    x.mutable_data<float>()[i] = std::sin(static_cast<float>(i)) * 3 + 0.5F;
  return x;
}

float largest_difference(const Tensor& a, const Tensor& b) {
  REQUIRE(a.shape() == b.shape());
  return max(abs(sub(a, b))).data<float>()[0];
}

}  // namespace

TEST_CASE("A dynamically quantized product is one op on weights of 8 bits", "[onnx][quantized]") {
  const std::size_t before = live();
  {
    GraphModel model = onnx::load_model(as_bytes(dynamic_product(5)), {});
    CHECK(live() - before < kDepth * kWidth + kElse);
    const int program = compile(model, "y");
    const Tensor x = make_x(5);
    const Tensor y = run(model, program, x);
    CHECK(live() - before < kDepth * kWidth + 2 * kElse);
    // Each node computes on its own what the fused op computes.
    const Tensor parts = run(model, compile(model, "sums"), x);
    CHECK(parts.dtype() == DType::kInt32);
    const Tensor scale = run(model, compile(model, "s"), x);
    const Tensor bias = sub(y, mul(cast(parts, {DType::kFloat32}), mul(scale, Tensor::scalar(0.02F))));
    CHECK(std::abs(min(bias).data<float>()[0] - 1) < 1e-3F);
    CHECK(std::abs(max(bias).data<float>()[0] - 1.04F) < 1e-3F);
  }
  CHECK(live() == before);
}

TEST_CASE("MatMulNBits reads weights of 4 bits as they are", "[onnx][quantized]") {
  for (const std::int64_t block : {16, 32}) {
    const std::size_t before = live();
    {
      const std::size_t weights = kWidth * kDepth / 2 + kWidth * kDepth / static_cast<std::size_t>(block) * 4;
      GraphModel model = onnx::load_model(as_bytes(blocks_product(-1, block)), {});
      CHECK(live() - before < weights + kElse);
      const int program = compile(model, "y");
      const Tensor many = run(model, program, make_x(40));
      // One row is multiplied by another kernel.
      const Tensor one = run(model, program, make_x(1));
      CHECK(live() - before < weights + 41 * kWidth * sizeof(float) + 3 * kElse);
      CHECK(largest_difference(slice(many, {Dims{0, 0}, Dims{1, kWidth}}), one) < 1e-4F);
      CHECK(max(abs(one)).data<float>()[0] > 1);
    }
    CHECK(live() == before);
  }
}

TEST_CASE("Infinite and undefined rows of a product in 4 bits stay so", "[onnx][quantized]") {
  GraphModel model = onnx::load_model(as_bytes(blocks_product(1, 32)), {});
  for (const float odd : {INFINITY, NAN}) {
    Tensor x = make_x(1);
    x.mutable_data<float>()[7] = odd;
    const Tensor y = run(model, compile(model, "y"), x);
    for (const float value : y.values<float>()) CHECK_FALSE(std::isfinite(value));
  }
}

TEST_CASE("Packed weights that do not fit are errors that name the node", "[onnx][hostile]") {
  const auto load_and_run = [](std::int64_t n, std::int64_t k, std::int64_t block) {
    const std::string attributes = int_attribute("K", k) + int_attribute("N", n) + int_attribute("bits", 4) +
                                   int_attribute("block_size", block);
    const std::string file =
        proto::model(node("MatMulNBits", {"x", "w", "s"}, {"y"}, attributes, "com.microsoft") + ports(1) +
                         initializer(tensor("w", kUint8, {kWidth, 3, 16}, some_bytes(kWidth * 48))) +
                         initializer(tensor("s", kFloat, {kWidth * 3}, floats(kWidth * 3, 0.1F))),
                     17, bytes(8, bytes(1, "com.microsoft") + integer(2, 1)));
    GraphModel model = onnx::load_model(as_bytes(file), {});
    run(model, compile(model, "y"), make_x(1));
  };
  load_and_run(kWidth, kDepth, 32);
  CHECK_THROWS_WITH(load_and_run(kWidth + 1, kDepth, 32), ContainsSubstring("do not fit N 65"));
  CHECK_THROWS_WITH(load_and_run(kWidth, 1 << 30, 32), ContainsSubstring("MatMulNBits"));
  CHECK_THROWS_WITH(load_and_run(kWidth, kDepth, 0), ContainsSubstring("\"block_size\" is 0"));
  CHECK_THROWS_WITH(load_and_run(0, kDepth, 32), ContainsSubstring("\"N\" is 0"));
  CHECK_THROWS_WITH(load_and_run(kWidth, INT32_MAX, INT32_MAX), ContainsSubstring("MatMulNBits"));
}

TEST_CASE("Integer convolutions run on weights of 8 bits", "[onnx][quantized]") {
  // Less 100, the weights take 9 bits.
  const std::uint8_t zero = GENERATE(0, 100, 128, 255);
  INFO("zero point " << int{zero});
  const std::string file =
      proto::model(node("ConvInteger", {"x", "w", "xz", "wz"}, {"y"}) +
                   input(value("x", kUint8, {1, 32, 5, 5})) + output(value("y", kInt32, {1, 16, 3, 3})) +
                   initializer(tensor("w", kUint8, {16, 32, 3, 3}, some_bytes(16 * 32 * 9))) +
                   initializer(tensor("xz", kUint8, {}, raw<std::uint8_t>({7}))) +
                   initializer(tensor("wz", kUint8, {}, raw<std::uint8_t>({zero}))));
  const std::size_t before = live();
  {
    GraphModel model = onnx::load_model(as_bytes(file), {});
    Tensor x({{1, 32, 5, 5}, DType::kInt32});
    for (std::size_t i = 0; i < x.elements(); ++i)
      x.mutable_data<std::int32_t>()[i] = static_cast<std::int32_t>(i * 91 % 256);
    const Tensor y = run(model, compile(model, "y"), x);
    CHECK(live() - before < 2 * 16 * 32 * 9 + 3 * kElse);
    const std::string weights = some_bytes(16 * 32 * 9);
    std::int32_t want = 0;
    for (std::size_t c = 0; c < 32; ++c) {
      for (std::size_t i = 0; i < 9; ++i) {
        const std::int32_t pixel = x.values<std::int32_t>()[c * 25 + (1 + i / 3) * 5 + 2 + i % 3];
        const auto weight = static_cast<std::uint8_t>(weights[(3 * 32 + c) * 9 + i]);
        want += (pixel - 7) * (weight - zero);
      }
    }
    CHECK(y.values<std::int32_t>()[3 * 9 + 1 * 3 + 2] == want);
  }
  CHECK(live() == before);
}

TEST_CASE("Quantized products of shapes that change at each run are not planned", "[onnx][quantized]") {
  for (const std::string& file : {dynamic_product(-1), blocks_product(-1, 32)}) {
    GraphModel model = onnx::load_model(as_bytes(file), {});
    const int program = compile(model, "y");
    for (std::int32_t rows = 1; rows < 9; ++rows) run(model, program, make_x(rows));
    CHECK(model.plan_count() == 2);
  }
}

namespace {

/// Returns a Gemm between QuantizeLinear and DequantizeLinear, whose weights have a scale for each column.
std::string quantized_gemm(bool is_transposed) {
  const std::string weights = some_bytes(kDepth * kWidth);
  return proto::model(
      node("QuantizeLinear", {"x", "s", "z"}, {"q"}) + node("DequantizeLinear", {"q", "s", "z"}, {"a"}) +
      node("DequantizeLinear", {"w", "ws", "wz"}, {"b"}, int_attribute("axis", is_transposed ? 0 : 1)) +
      node("Gemm", {"a", "b", "bias"}, {"y"}, int_attribute("transB", is_transposed)) + ports(-1) +
      initializer(is_transposed ? tensor("w", kInt8, {kWidth, kDepth}, weights)
                                : tensor("w", kInt8, {kDepth, kWidth}, weights)) +
      initializer(tensor("s", kFloat, {}, raw({0.03F}))) +
      initializer(tensor("z", kUint8, {}, raw<std::uint8_t>({120}))) +
      initializer(tensor("ws", kFloat, {kWidth}, floats(kWidth, 0.01F))) +
      initializer(tensor("wz", kInt8, {kWidth}, std::string(kWidth, '\3'))) +
      initializer(tensor("bias", kFloat, {kWidth}, floats(kWidth, 1))));
}

}  // namespace

TEST_CASE("A Gemm of dequantized values multiplies the weights in 8 bits", "[onnx][quantized]") {
  for (const bool is_transposed : {false, true}) {
    const std::size_t before = live();
    {
      GraphModel model = onnx::load_model(as_bytes(quantized_gemm(is_transposed)), {});
      const int program = compile(model, "y");
      const Tensor x = make_x(5);
      const Tensor y = run(model, program, x);
      // There is also a transposed copy of the weights.
      const std::size_t copies = is_transposed ? 2 : 1;
      CHECK(live() - before < copies * kDepth * kWidth + 3 * kElse / 2);
      const Tensor a = run(model, compile(model, "a"), x);
      const Tensor b = run(model, compile(model, "b"), x);
      const Tensor bias = run(model, compile(model, "bias"), x);
      CHECK(largest_difference(y, add(mat_mul(a, b, {.transpose_b = is_transposed}), bias)) < 1e-3F);
    }
    CHECK(live() == before);
  }
}

namespace {

constexpr std::int32_t kChannels = 64;
constexpr std::int32_t kSize = 5;

/// Returns a Conv between QuantizeLinear and DequantizeLinear, whose weights have a scale for each filter.
std::string quantized_conv(std::int32_t groups, std::int32_t window) {
  const std::int32_t depth = kChannels / groups;
  const std::size_t count = Shape{kChannels, depth, window, window}.elements();
  const Dims image{1, kChannels, kSize, kSize};
  return proto::model(node("QuantizeLinear", {"x", "s", "z"}, {"q"}) +
                      node("DequantizeLinear", {"q", "s", "z"}, {"a"}) +
                      node("DequantizeLinear", {"w", "ws"}, {"b"}, int_attribute("axis", 0)) +
                      node("Conv", {"a", "b", "bias"}, {"y"}, int_attribute("group", groups)) +
                      input(value("x", kFloat, {image[0], image[1], image[2], image[3]})) +
                      output(value("y", kFloat, {}, false)) +
                      initializer(tensor("w", kInt8, {kChannels, depth, window, window}, some_bytes(count))) +
                      initializer(tensor("s", kFloat, {}, raw({0.03F}))) +
                      initializer(tensor("z", kUint8, {}, raw<std::uint8_t>({120}))) +
                      initializer(tensor("ws", kFloat, {kChannels}, floats(kChannels, 0.01F))) +
                      initializer(tensor("bias", kFloat, {kChannels}, floats(kChannels, 1))));
}

}  // namespace

TEST_CASE("A depthwise Conv of dequantized values multiplies the weights in 8 bits", "[onnx][quantized]") {
  constexpr std::int32_t kWindow = 3;
  for (const std::int32_t groups : {kChannels}) {
    const std::size_t before = live();
    {
      GraphModel model = onnx::load_model(as_bytes(quantized_conv(groups, kWindow)), {});
      const int program = compile(model, "y");
      Tensor x({{1, kChannels, kSize, kSize}, DType::kFloat32});
      for (std::size_t i = 0; i < x.elements(); ++i)
        x.mutable_data<float>()[i] = std::sin(static_cast<float>(i)) * 3 + 0.5F;
      const std::int32_t depth = kChannels / groups;
      const std::size_t size = Shape{kChannels, depth, kWindow, kWindow}.elements();
      const std::size_t images = x.elements() * sizeof(float);
      const Tensor y = run(model, program, x);
      // The weights are stored, and packed for the kernel.
      CHECK(live() - before < 2 * size + 8 * images + 2 * kElse);
      const Tensor a = transpose(run(model, compile(model, "a"), x), {Dims{0, 2, 3, 1}});
      const Tensor b = transpose(run(model, compile(model, "b"), x), {Dims{2, 3, 1, 0}});
      Tensors results;
      for (std::int32_t group = 0; group < groups; ++group) {
        const std::int32_t filters = kChannels / groups;
        results.push_back(conv2d(
            slice(a, {Dims{0, 0, 0, group * depth}, Dims{1, kSize, kSize, depth}}),
            slice(b, {Dims{0, 0, 0, group * filters}, Dims{kWindow, kWindow, depth, filters}}), {}, {}));
      }
      const Tensor bias = run(model, compile(model, "bias"), x);
      const Tensor want = transpose(add(concat(results, {3}), bias), {Dims{0, 3, 1, 2}});
      CHECK(largest_difference(y, want) < 1e-2F);
    }
    CHECK(live() == before);
  }
}
