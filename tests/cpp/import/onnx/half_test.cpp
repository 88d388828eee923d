#include <functional>

#include "catch.h"
#include "core/error.h"
#include "core/memory/allocator.h"
#include "cpu/quant/halves.h"
#include "import/onnx/load.h"
#include "ops/ops.h"
#include "protobuf.h"

using namespace tenure;
using namespace tenure::test;
using Catch::Matchers::ContainsSubstring;
using proto::kFloat;
using proto::kFloat16;
using proto::kInt64;

namespace {

constexpr std::int32_t kDepth = 96;
constexpr std::int32_t kWidth = 160;
constexpr std::size_t kHalfBytes = std::size_t{kDepth} * kWidth * 2;
/// Allowance in bytes for nodes and bookkeeping.
constexpr std::size_t kElse = 16 << 10;

std::size_t live() { return allocator_stats().live; }

std::string initializer(std::string_view tensor) { return proto::bytes(5, tensor); }

/// Returns the bytes of the weights as halves, or as the floats of the same values.
std::string weight_bytes(int type) {
  const std::vector<std::uint16_t> halves = to_halves(random_values({kDepth, kWidth}));
  if (type == kFloat16) return {reinterpret_cast<const char*>(halves.data()), kHalfBytes};
  const Tensor floats = widen(halves, {kDepth, kWidth});
  return {floats.data<char>(), kHalfBytes * 2};
}

/// Returns a model of nodes that read x, [rows, inner], and the weights w, [kDepth, kWidth].
std::string make_model(int type, std::string_view nodes, std::int64_t inner = kDepth, int x_type = kFloat,
                       std::string_view constants = {}) {
  return proto::model(std::string(nodes) + proto::input(proto::value("x", x_type, {-1, inner})) +
                      proto::output(proto::value("y", kFloat)) +
                      initializer(proto::tensor("w", type, {kDepth, kWidth}, weight_bytes(type))) +
                      std::string(constants));
}

Tensor run(GraphModel& model, const Tensor& x) {
  const std::vector<std::string> inputs = {"x"};
  const std::vector<std::string> outputs = {"y"};
  return model.run(model.compile(inputs, outputs), std::span(&x, 1))[0];
}

/// Compares a model of halves with that of floats, and checks that the halves are the only weights.
void check_model(const std::function<std::string(int type)>& file,
                 const std::function<Tensor(int rows)>& make_x) {
  GraphModel floats = onnx::load_model(proto::as_bytes(file(kFloat)), {});
  for (const int rows : {1, 3, 40}) {
    const Tensor x = make_x(rows);
    const Tensor want = run(floats, x);
    const std::size_t before = live();
    {
      GraphModel model = onnx::load_model(proto::as_bytes(file(kFloat16)), {});
      CHECK(live() - before < kHalfBytes + kElse);
      for (int i = 0; i < 2; ++i) {
        const Tensor y = run(model, x);
        CHECK(difference(y, want) <= 2e-6F * max(abs(want)).data<float>()[0]);
        CHECK(live() - before < kHalfBytes + 6 * y.bytes() + kElse);
      }
    }
    CHECK(live() == before);
  }
}

Tensor make_ids(int rows) {
  Tensor ids({{rows, 2}, DType::kInt32});
  for (int i = 0; i < 2 * rows; ++i) ids.mutable_data<std::int32_t>()[i] = i * 7 % kDepth;
  return ids;
}

Tensor make_rows(int rows) { return random_values({rows, kDepth}, 5); }

}  // namespace

TEST_CASE("Weights of float16 take two bytes a value", "[onnx][halves]") {
  check_model([](int type) { return make_model(type, proto::node("MatMul", {"x", "w"}, {"y"})); }, make_rows);
}

TEST_CASE("Casts, biases, scales and Gemm leave weights of float16 as they are", "[onnx][halves]") {
  const std::string bias =
      initializer(proto::tensor("b", kFloat, {kWidth}, weight_bytes(kFloat).substr(0, kWidth * 4)));
  check_model(
      [](int type) {
        return make_model(type, proto::node("Cast", {"w"}, {"c"}, proto::int_attribute("to", kFloat)) +
                                    proto::node("MatMul", {"x", "c"}, {"y"}));
      },
      make_rows);
  check_model(
      [&](int type) {
        return make_model(type,
                          proto::node("MatMul", {"x", "w"}, {"p"}) + proto::node("Add", {"p", "b"}, {"s"}) +
                              proto::node("Mul", {"s", "b"}, {"m"}) + proto::node("Relu", {"m"}, {"y"}),
                          kDepth, kFloat, bias);
      },
      make_rows);
  check_model(
      [](int type) {
        return make_model(type, proto::node("Gemm", {"x", "w"}, {"y"}, proto::int_attribute("transB", 1)),
                          kWidth);
      },
      [](int rows) { return random_values({rows, kWidth}, 5); });
}

TEST_CASE("Embeddings of float16 take two bytes a value", "[onnx][halves]") {
  check_model([](int type) { return make_model(type, proto::node("Gather", {"w", "x"}, {"y"}), 2, kInt64); },
              make_ids);
}

TEST_CASE("An embedding of float16 that is multiplied by transposed takes two bytes a value",
          "[onnx][halves]") {
  check_model(
      [](int type) {
        return make_model(type,
                          proto::node("Gather", {"w", "x"}, {"e"}) + proto::node("Transpose", {"w"}, {"t"}) +
                              proto::node("MatMul", {"e", "t"}, {"y"}),
                          2, kInt64);
      },
      make_ids);
}

TEST_CASE("Weights of float16 with infinities become float32", "[onnx][halves]") {
  std::string data = weight_bytes(kFloat16);
  data.replace(4, 2, proto::raw<std::uint16_t>({0x7c00}));
  GraphModel model = onnx::load_model(
      proto::as_bytes(proto::model(proto::node("MatMul", {"x", "w"}, {"y"}) +
                                   proto::input(proto::value("x", kFloat, {-1, kDepth})) +
                                   proto::output(proto::value("y", kFloat)) +
                                   initializer(proto::tensor("w", kFloat16, {kDepth, kWidth}, data)))),
      {});
  Tensor x = fill({.shape = {1, kDepth}});
  x.mutable_data<float>()[0] = 1;
  const Tensor y = run(model, x);
  CHECK(y.data<float>()[2] == INFINITY);
  CHECK(std::isfinite(y.data<float>()[1]));
}

TEST_CASE("Convolutions pack filters of float16 as float32", "[onnx][halves]") {
  const auto file = [](int type) {
    return proto::model(
        proto::node("Conv", {"x", "w"}, {"y"}) +
        proto::input(proto::value("x", kFloat, {1, kWidth / 10, 6, 6})) +
        proto::output(proto::value("y", kFloat)) +
        initializer(proto::tensor("w", type, {kDepth, kWidth / 10, 5, 2}, weight_bytes(type))));
  };
  GraphModel floats = onnx::load_model(proto::as_bytes(file(kFloat)), {});
  const Tensor x = random_values({1, kWidth / 10, 6, 6}, 5);
  const Tensor want = run(floats, x);
  const std::size_t before = live();
  {
    GraphModel model = onnx::load_model(proto::as_bytes(file(kFloat16)), {});
    CHECK(live() - before < kHalfBytes + kElse);
    CHECK(difference(run(model, x), want) == 0);
    CHECK(live() - before < 3 * kHalfBytes + kElse);
  }
  CHECK(live() == before);
}

TEST_CASE("Data of float16 that does not fit is an error that names the initializer",
          "[onnx][halves][hostile]") {
  const auto entry = [](std::string_view key, std::string_view text) {
    return proto::bytes(13, proto::bytes(1, key) + proto::bytes(2, text));
  };
  const auto file = [&](std::string_view weight) {
    return proto::model(proto::node("MatMul", {"x", "w"}, {"y"}) +
                        proto::input(proto::value("x", kFloat, {-1, kDepth})) +
                        proto::output(proto::value("y", kFloat)) + initializer(weight));
  };
  const std::string whole = weight_bytes(kFloat16);
  for (const std::size_t size : {whole.size() - 1, whole.size() - 2, std::size_t{0}}) {
    CHECK_THROWS_WITH(
        onnx::load_model(
            proto::as_bytes(file(proto::tensor("w", kFloat16, {kDepth, kWidth}, whole.substr(0, size)))), {}),
        ContainsSubstring("the initializer \"w\": it has " + std::to_string(size) + " bytes of data"));
  }
  // At an odd offset of another file.
  const std::string data = "1" + whole;
  const auto external = [&](std::string_view length) {
    return file(proto::integer(1, kDepth) + proto::integer(1, kWidth) + proto::integer(2, kFloat16) +
                proto::bytes(8, "w") + proto::integer(14, 1) + entry("location", "data") +
                entry("offset", "1") + entry("length", length));
  };
  const onnx::LoadOptions options{.files = {{"data", proto::as_bytes(data)}}};
  GraphModel odd = onnx::load_model(proto::as_bytes(external(std::to_string(whole.size()))), options);
  GraphModel inside =
      onnx::load_model(proto::as_bytes(make_model(kFloat16, proto::node("MatMul", {"x", "w"}, {"y"}))), {});
  for (const int rows : {1, 40})
    CHECK(difference(run(odd, make_rows(rows)), run(inside, make_rows(rows))) == 0);
  CHECK_THROWS_WITH(onnx::load_model(proto::as_bytes(external(std::to_string(whole.size() - 1))), options),
                    ContainsSubstring("the initializer \"w\": it has 30719 bytes of data"));
  CHECK_THROWS_WITH(onnx::load_model(proto::as_bytes(external(std::to_string(whole.size() + 1))), options),
                    ContainsSubstring("the initializer \"w\""));
}
