// Arithmetic of integers, which are int32 in the engine.

#include "catch.h"
#include "core/memory/allocator.h"
#include "import/onnx/load.h"
#include "protobuf.h"

using namespace tenure;
using namespace tenure::test;
using namespace tenure::test::proto;
using Catch::Matchers::ContainsSubstring;

namespace {

Tensor ints(const Shape& shape, const std::vector<std::int32_t>& values) {
  Tensor x({shape, DType::kInt32});
  std::copy(values.begin(), values.end(), x.mutable_data<std::int32_t>());
  return x;
}

GraphModel load_binary(std::string_view op, int type) {
  const std::string fields =
      bytes(1, bytes(1, "a") + bytes(1, "b") + bytes(2, "y") + bytes(3, "positions") + bytes(4, op));
  return onnx::load_model(
      as_bytes(model(fields + input(value("a", type, {}, false)) + input(value("b", type, {}, false)) +
                     output(value("y", type, {}, false)))));
}

std::vector<std::int32_t> compute(std::string_view op, int type, const Tensors& given) {
  GraphModel model = load_binary(op, type);
  const std::vector<std::string> names = {"a", "b"};
  const Tensor y = model.run(model.compile(names, std::vector<std::string>{"y"}), given)[0];
  const auto values = y.values<std::int32_t>();
  return {values.begin(), values.end()};
}

constexpr std::int32_t kMax = 2147483647;

}  // namespace

TEST_CASE("Results of int64 beyond int32 are errors that name the node", "[onnx]") {
  const std::size_t live = allocator_stats().live;
  {
    CHECK_THROWS_WITH(compute("Add", kInt64, {ints({2}, {1, kMax}), ints({}, {1})}),
                      ContainsSubstring("2147483647 + 1") && ContainsSubstring("positions"));
    CHECK_THROWS_WITH(compute("Sub", kInt64, {ints({2, 1}, {0, -2}), ints({3}, {0, 1, kMax})}),
                      ContainsSubstring("-2 - 2147483647"));
    CHECK_THROWS_WITH(compute("Mul", kInt64, {ints({1}, {65536}), ints({1}, {32768})}),
                      ContainsSubstring("65536 * 32768"));
    CHECK_THROWS_WITH(compute("Sum", kInt64, {ints({1}, {kMax}), ints({1}, {kMax})}),
                      ContainsSubstring("2147483647 + 2147483647"));
  }
  CHECK(allocator_stats().live == live);
}

TEST_CASE("Shapes and sums of int64 are int64", "[onnx]") {
  const auto node = [](std::string_view op, std::string_view names) {
    return bytes(1, std::string(names) + bytes(4, op));
  };
  const std::string nodes = node("CumSum", bytes(1, "a") + bytes(1, "axis") + bytes(2, "sums")) +
                            node("Mul", bytes(1, "sums") + bytes(1, "b") + bytes(2, "y"));
  const std::string ports = input(value("a", kInt64, {}, false)) + input(value("axis", kInt64, {}, false)) +
                            input(value("b", kInt64, {}, false)) + output(value("y", kInt64, {}, false));
  GraphModel model = onnx::load_model(as_bytes(proto::model(nodes + ports)));
  const std::vector<std::string> names = {"a", "axis", "b"};
  const auto signature = model.compile(names, std::vector<std::string>{"y"});
  // The second run has a plan.
  for (int i = 0; i < 2; ++i) {
    const Tensor y = model.run(signature, Tensors{ints({2}, {1, 2}), ints({}, {0}), ints({1}, {5})})[0];
    CHECK(y.data<std::int32_t>()[1] == 15);
  }
  CHECK_THROWS_WITH(model.run(signature, Tensors{ints({2}, {1, 2}), ints({}, {0}), ints({1}, {kMax})}),
                    ContainsSubstring("3 * 2147483647"));
  const Tensor y = model.run(signature, Tensors{ints({2}, {1, 2}), ints({}, {0}), ints({1}, {5})})[0];
  CHECK(y.data<std::int32_t>()[1] == 15);
}

TEST_CASE("Arithmetic of int64 broadcasts, and reaches the ends of int32", "[onnx]") {
  CHECK(compute("Add", kInt64, {ints({2, 1}, {kMax - 3, -5}), ints({3}, {1, 2, 3})}) ==
        std::vector{kMax - 2, kMax - 1, kMax, -4, -3, -2});
  CHECK(compute("Mul", kInt64, {ints({}, {-32768}), ints({2}, {65536, 3})}) ==
        std::vector{-kMax - 1, -98304});
  CHECK(compute("Sub", kInt64, {ints({0}, {}), ints({1}, {1})}).empty());
}

TEST_CASE("Arithmetic of integers of 32 bits and less wraps around", "[onnx]") {
  CHECK(compute("Add", kInt32, {ints({1}, {kMax}), ints({1}, {1})}) == std::vector{-kMax - 1});
  CHECK(compute("Mul", kInt32, {ints({1}, {65536}), ints({1}, {65536})}) == std::vector{0});
  CHECK(compute("Add", kUint32, {ints({1}, {kMax}), ints({1}, {kMax})}) == std::vector{-2});
  CHECK(compute("Add", kUint8, {ints({2}, {250, 3}), ints({1}, {10})}) == std::vector{4, 13});
  CHECK(compute("Sub", kUint8, {ints({1}, {3}), ints({1}, {4})}) == std::vector{255});
}
