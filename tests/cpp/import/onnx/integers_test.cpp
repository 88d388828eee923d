// Arithmetic of integers, which are int32 in the engine.

#include <algorithm>
#include <cmath>
#include <limits>

#include "catch.h"
#include "core/memory/allocator.h"
#include "core/strings.h"
#include "import/onnx/load.h"
#include "integers.h"
#include "protobuf.h"

using namespace tenure;
using namespace tenure::test;
using namespace tenure::test::proto;
using Catch::Matchers::ContainsSubstring;

namespace {

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

std::string reduction(std::string_view op, bool keeps_dims = false) {
  return node(op, {"a"}, {"y"}, int_attribute("keepdims", keeps_dims ? 1 : 0));
}

/// Returns the field of a constant of integers.
std::string axes(std::initializer_list<std::int64_t> list) {
  return bytes(5, tensor("axes", kInt64, {static_cast<std::int64_t>(list.size())}, raw(list)));
}

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

TEST_CASE("Sums and products of int64 along axes are exact, or errors that name the node", "[onnx]") {
  const auto sum = reduction("ReduceSum");
  CHECK(run_nodes(sum, kInt64, {ints({3}, {kMax, 1, -1})}) == std::vector{kMax});
  CHECK_THROWS_WITH(
      run_nodes(sum, kInt64, {ints({2}, {kMax, 1})}),
      ContainsSubstring("cannot hold the sum of 2 elements") && ContainsSubstring("in the node \"y\""));
  CHECK(run_nodes(sum, kInt32, {ints({2}, {kMax, 1})}) == std::vector{kMin});
  const auto cube = ints({2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
  const auto keepdims = int_attribute("keepdims", 1);
  CHECK(run_nodes(node("ReduceSum", {"a", "axes"}, {"y"}, keepdims) + axes({0, 2}), kInt64, {cube}) ==
        std::vector{14, 22});
  CHECK(run_nodes(node("ReduceSum", {"a", "axes"}, {"y"}, keepdims) + axes({1}), kInt64, {cube}) ==
        std::vector{4, 6, 12, 14});
  CHECK(run_nodes(sum, kInt64, {ints({0}, {})}) == std::vector{0});

  const auto product = reduction("ReduceProd", true);
  CHECK(run_nodes(product, kInt64, {ints({4}, {65536, 65536, 65536, 0})}) == std::vector{0});
  CHECK(run_nodes(product, kInt64, {ints({2}, {65536, -32768})}) == std::vector{kMin});
  CHECK_THROWS_WITH(run_nodes(product, kInt64, {ints({3}, {65536, 65536, 65536})}),
                    ContainsSubstring("the product of 3 elements"));
  CHECK_THROWS_WITH(run_nodes(product, kInt64, {ints({2}, {kMin, -1})}), ContainsSubstring("cannot hold"));
  CHECK(run_nodes(product, kInt32, {ints({2}, {65536, 65536})}) == std::vector{0});

  CHECK(run_nodes(reduction("ReduceSumSquare"), kInt64, {ints({2}, {46340, 3})}) == std::vector{2147395609});
  CHECK_THROWS_WITH(run_nodes(reduction("ReduceSumSquare"), kInt64, {ints({1}, {46341})}),
                    ContainsSubstring("46341 * 46341"));
  CHECK(run_nodes(reduction("ReduceL2"), kInt64, {ints({2}, {46340, 46340})}) == std::vector{65534});
  CHECK(run_nodes(reduction("ReduceL1"), kInt64, {ints({2}, {-5, 3})}) == std::vector{8});
  CHECK_THROWS_WITH(run_nodes(reduction("ReduceL1"), kInt64, {ints({2}, {kMax, -1})}),
                    ContainsSubstring("the sum of 2 elements"));
  CHECK_THROWS_WITH(run_nodes(reduction("ReduceL1"), kInt64, {ints({1}, {kMin})}),
                    ContainsSubstring("cannot hold"));
}

TEST_CASE("Cumulative sums of int64 are exact, or errors", "[onnx]") {
  const auto run_sums = [](bool exclusive, bool reverse, int type, const Tensor& x, std::int64_t axis) {
    const std::string attrs =
        int_attribute("exclusive", exclusive ? 1 : 0) + int_attribute("reverse", reverse ? 1 : 0);
    return run_nodes(
        node("CumSum", {"a", "axes"}, {"y"}, attrs) + bytes(5, tensor("axes", kInt64, {}, raw({axis}))), type,
        {x});
  };
  CHECK_THROWS_WITH(
      run_sums(false, false, kInt64, ints({3}, {kMax, -1, 5}), 0),
      ContainsSubstring("a cumulative sum of 3 elements") && ContainsSubstring("in the node \"y\""));
  CHECK(run_sums(false, false, kInt32, ints({2}, {kMax, 1}), 0) == std::vector{kMax, kMin});
  CHECK(run_sums(true, false, kInt64, ints({2}, {kMax, 5}), 0) == std::vector{0, kMax});
  const Tensor table = ints({2, 3}, {1, 2, 3, 4, 5, 6});
  for (const int type : {kInt32, kInt64}) {
    CHECK(run_sums(false, false, type, table, 1) == std::vector{1, 3, 6, 4, 9, 15});
    CHECK(run_sums(false, false, type, table, 0) == std::vector{1, 2, 3, 5, 7, 9});
    CHECK(run_sums(true, true, type, table, -1) == std::vector{5, 3, 0, 11, 6, 0});
    CHECK(run_sums(true, false, type, table, 0) == std::vector{0, 0, 0, 1, 2, 3});
    CHECK(run_sums(false, true, type, table, 0) == std::vector{5, 7, 9, 4, 5, 6});
    CHECK(run_sums(true, false, type, ints({0}, {}), 0).empty());
  }
}

TEST_CASE("Products of int64 matrices are exact, or errors", "[onnx]") {
  const auto product = node("MatMul", {"a", "b"}, {"y"});
  CHECK(run_nodes(product, kInt64, {ints({1, 2}, {65536, 1}), ints({2, 1}, {32768, -1})}) ==
        std::vector{kMax});
  CHECK_THROWS_WITH(run_nodes(product, kInt64, {ints({2}, {65536, 1}), ints({2}, {32768, 0})}),
                    ContainsSubstring("the sum of 2 products") && ContainsSubstring("in the node \"y\""));
  CHECK(run_nodes(product, kInt32, {ints({1, 1}, {65536}), ints({1, 1}, {65536})}) == std::vector{0});
  const auto transposed =
      node("Transpose", {"b"}, {"t"}, ints_attribute("perm", {1, 0})) + node("MatMul", {"a", "t"}, {"y"});
  for (const int type : {kInt32, kInt64}) {
    const Tensor batch = ints({2, 1, 2}, {1, 2, 3, 4});
    CHECK(run_nodes(product, type, {batch, ints({2, 3}, {1, 2, 3, 4, 5, 6})}) ==
          std::vector{9, 12, 15, 19, 26, 33});
    CHECK(run_nodes(product, type, {ints({2}, {1, 2}), ints({2, 2}, {1, 2, 3, 4})}) == std::vector{7, 10});
    CHECK(run_nodes(transposed, type, {ints({1, 2}, {1, 2}), ints({3, 2}, {1, 2, 3, 4, 5, 6})}) ==
          std::vector{5, 11, 17});
    CHECK(run_nodes(node("Gemm", {"a", "b", "c"}, {"y"}, int_attribute("transA", 1)), type,
                    {ints({2, 1}, {1, 2}), ints({2, 2}, {1, 2, 3, 4}), ints({2}, {100, 200})}) ==
          std::vector{107, 210});
    const auto einsum = [&](std::string_view equation, const Tensors& given) {
      const std::string attribute = bytes(5, bytes(1, "equation") + bytes(4, equation) + integer(20, 3));
      return run_nodes(given.size() == 1 ? node("Einsum", {"a"}, {"y"}, attribute)
                                         : node("Einsum", {"a", "b"}, {"y"}, attribute),
                       type, given);
    };
    CHECK(einsum("bij,kj->bki", {batch, ints({2, 2}, {1, 2, 3, 4})}) == std::vector{5, 11, 11, 25});
    CHECK(einsum("ij->j", {ints({2, 2}, {1, 2, 3, 4})}) == std::vector{4, 6});
    CHECK(einsum("ij->ji", {ints({2, 2}, {1, 2, 3, 4})}) == std::vector{1, 3, 2, 4});
    if (type == kInt64)
      CHECK_THROWS_WITH(einsum("ij->", {ints({1, 2}, {kMax, 1})}), ContainsSubstring("the sum of 2"));
    if (type == kInt64)
      CHECK_THROWS_WITH(einsum("i,i->", {ints({1}, {kMax}), ints({1}, {2})}),
                        ContainsSubstring("the sum of 1 products"));
    if (type == kInt32) continue;
    // Partial sums may be beyond int32. Terms may have more labels together than a tensor has axes.
    CHECK(einsum("i,i->", {ints({2}, {65536, 65536}), ints({2}, {65536, -65536})}) == std::vector{0});
    CHECK(einsum("abcde,efghi->abcdfghi", {ints({1, 1, 1, 2, 2}, {1, 2, 3, 4}),
                                           ints({2, 1, 1, 1, 1}, {5, 6})}) == std::vector{17, 39});
    CHECK(einsum("...i,...i->...", {ints({2, 2}, {1, 2, 3, 4}), ints({1, 2}, {5, 6})}) ==
          std::vector{17, 39});
  }
  CHECK_THROWS_WITH(run_nodes(node("Gemm", {"a", "b", "c"}, {"y"}), kInt64,
                              {ints({1, 1}, {1}), ints({1, 1}, {kMax}), ints({1}, {1})}),
                    ContainsSubstring("2147483647 + 1"));
}

TEST_CASE("The lowest small integer by -1 wraps around", "[onnx]") {
  const auto quotient = node("Div", {"a", "b"}, {"y"});
  CHECK(run_nodes(quotient, kInt8, {ints({3}, {-128, -7, 7}), ints({3}, {-1, 2, -2})}) ==
        std::vector{-128, -3, -3});
}

TEST_CASE("Zeros are shifted by any number of bits, and norms are those of squares beyond int32", "[onnx]") {
  const auto shift = node("BitShift", {"a", "b"}, {"y"},
                          bytes(5, bytes(1, "direction") + bytes(4, "LEFT") + integer(20, 3)));
  CHECK(run_nodes(shift, kInt64, {ints({3}, {0, 1, 0}), ints({3}, {40, 4, 63})}) == std::vector{0, 16, 0});
  CHECK(run_nodes(node("ReduceL2", {"a"}, {"y"}), kInt64, {ints({1}, {50000})}) == std::vector{50000});
}

TEST_CASE("The lowest integer of int64 has no negative, and quotients are truncated", "[onnx]") {
  for (const std::string_view op : {"Neg", "Abs"}) {
    CHECK_THROWS_WITH(run_nodes(node(op, {"a"}, {"y"}), kInt64, {ints({1}, {kMin})}),
                      ContainsSubstring("cannot hold"));
    CHECK(run_nodes(node(op, {"a"}, {"y"}), kInt32, {ints({1}, {kMin})}) == std::vector{kMin});
    CHECK(run_nodes(node(op, {"a"}, {"y"}), kInt64, {ints({1}, {-kMax})}) == std::vector{kMax});
  }
  const auto quotient = node("Div", {"a", "b"}, {"y"});
  CHECK_THROWS_WITH(run_nodes(quotient, kInt64, {ints({1}, {kMin}), ints({1}, {-1})}),
                    ContainsSubstring("-2147483648 / -1"));
  CHECK(run_nodes(quotient, kInt32, {ints({1}, {kMin}), ints({1}, {-1})}) == std::vector{kMin});
  for (const int type : {kInt32, kInt64}) {
    CHECK(run_nodes(
              quotient, type,
              {ints({8}, {7, -7, 7, -7, kMin, kMin, 6, -1}), ints({8}, {2, 2, -2, -2, 2, kMin, -3, 3})}) ==
          std::vector{3, -3, -3, 3, kMin / 2, 1, -2, 0});
  }
}

TEST_CASE("Powers and ranges of int64 are exact, or errors", "[onnx]") {
  const auto power = node("Pow", {"a", "b"}, {"y"});
  CHECK_THROWS_WITH(run_nodes(power, kInt64, {ints({1}, {2}), ints({1}, {31})}),
                    ContainsSubstring("2 to the power 31"));
  CHECK_THROWS_WITH(run_nodes(power, kInt64, {ints({1}, {-10}), ints({1}, {1001})}),
                    ContainsSubstring("-10 to the power 1001"));
  CHECK(run_nodes(power, kInt64, {ints({5}, {-2, 0, -1, 2, 1}), ints({5}, {31, kMax, kMax, -1, kMin})}) ==
        std::vector{kMin, 0, -1, 0, 1});
  CHECK(run_nodes(power, kInt32, {ints({1}, {2}), ints({1}, {32})}) == std::vector{0});
  Tensor exponent({{1}, DType::kFloat32});
  *exponent.mutable_data<float>() = 31;
  CHECK_THROWS_WITH(run_nodes(power, kInt64, {ints({1}, {2}), exponent}),
                    ContainsSubstring("2 to the power 31"));
  // Powers beyond the integers that float32 holds.
  *exponent.mutable_data<float>() = 19;
  CHECK(run_nodes(power, kInt64, {ints({1}, {3}), exponent}) == std::vector{1162261467});
  *exponent.mutable_data<float>() = 0.5F;
  CHECK(run_nodes(power, kInt64, {ints({1}, {10}), exponent}) == std::vector{3});
  CHECK(run_nodes(power, kInt64, {ints({3}, {3, 10, kMax}), floats({19, 0.5F, 1})}) ==
        std::vector{1162261467, 3, kMax});
  CHECK(run_nodes(node("Range", {"a", "b", "c"}, {"y"}), kInt64,
                  {ints({}, {kMax - 3}), ints({}, {kMax}), ints({}, {2})}) ==
        std::vector{kMax - 3, kMax - 1});
}

TEST_CASE("Powers of integers by an exponent in float are in the plan", "[onnx]") {
  const std::string nodes = node("Pow", {"a", "b"}, {"y"});
  for (const int type : {kInt32, kInt64}) {
    GraphModel model = onnx::load_model(
        as_bytes(proto::model(nodes + input(value("a", type, {}, false)) +
                                  input(value("b", kFloat, {}, false)) + output(bytes(1, "y")),
                              18)));
    const int program = model.compile(std::vector<std::string>{"a", "b"}, std::vector<std::string>{"y"});
    const Tensors given = {ints({2}, {3, -2}), floats({19})};
    for (int i = 0; i < 3; ++i) {
      const Tensor y = model.run(program, given)[0];
      CHECK(y.data<std::int32_t>()[0] == 1162261467);
      CHECK(y.data<std::int32_t>()[1] == -524288);
    }
    CHECK(model.plan_count() == 1);
  }
}

TEST_CASE("Casts of finite floats beyond int32 to int64 are errors, those of constants, too", "[onnx]") {
  const auto cast = [](int to) { return node("Cast", {"a"}, {"y"}, int_attribute("to", to)); };
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const Tensor edges = floats({-2147483648.0F, 2147483520.0F, -1.5F, kInfinity, -kInfinity, std::nanf("")});
  CHECK(run_nodes(cast(kInt64), kFloat, {edges}) == std::vector{kMin, 2147483520, -1, kMax, kMin, 0});
  for (const float beyond : {2147483648.0F, -2147483904.0F, 3e38F}) {
    CHECK_THROWS_WITH(run_nodes(cast(kInt64), kFloat, {floats({1, beyond, kInfinity})}),
                      ContainsSubstring("cannot hold") && ContainsSubstring("in the node \"y\""));
    CHECK(run_nodes(cast(kInt32), kFloat, {floats({beyond})}) == std::vector{beyond < 0 ? kMin : kMax});
  }
  const auto like = node("CastLike", {"b", "a"}, {"y"});
  CHECK_THROWS_WITH(run_nodes(like, kInt64, {ints({}, {0}), floats({3e9F})}),
                    ContainsSubstring("cannot hold 3000000000"));
  const auto constant = bytes(5, tensor("c", kFloat, {1}, raw({3e9F})));
  const auto cast_constant = [&](std::string_view name, int to) {
    return constant + node("Mul", {"c", "c"}, {"square"}) +
           node("Cast", {name}, {"d"}, int_attribute("to", to)) + node("Max", {"a", "d"}, {"y"});
  };
  for (const std::string_view name : {"c", "square"}) {
    CHECK_THROWS_WITH(run_nodes(cast_constant(name, kInt64), kInt64, {ints({}, {0})}),
                      ContainsSubstring("cannot hold") && ContainsSubstring("in the node \"d\""));
    CHECK(run_nodes(cast_constant(name, kInt32), kInt32, {ints({}, {0})}) == std::vector{kMax});
  }
}

TEST_CASE("Integers of 64 bits of a file are clamped, as ends of slices must be", "[onnx]") {
  const std::string constants = bytes(5, tensor("zero", kInt64, {1}, raw({std::int64_t{0}}))) +
                                bytes(5, tensor("end", kInt64, {1}, raw({INT64_MAX}))) +
                                bytes(5, tensor("low", kInt64, {1}, raw({INT64_MIN})));
  CHECK(run_nodes(constants + node("Slice", {"a", "zero", "end"}, {"y"}), kInt64, {ints({2}, {1, 2})}) ==
        std::vector{1, 2});
  CHECK(run_nodes(constants + node("Max", {"a", "low"}, {"y"}), kInt64, {ints({2}, {1, kMin})}) ==
        std::vector{1, kMin});
}

TEST_CASE("Strings of integers beyond int32, and shifts, are no other integers of 64 bits", "[onnx]") {
  const auto parse = [](std::string_view text, int to) {
    const std::vector<std::string_view> texts = {text};
    const auto list = make_string_tensor(texts, {1});
    GraphModel model = onnx::load_model(
        as_bytes(proto::model(node("Cast", {"a"}, {"y"}, int_attribute("to", to)) +
                              input(value("a", kString, {}, false)) + output(bytes(1, "y")))));
    return model
        .run(model.compile(std::vector<std::string>{"a"}, std::vector<std::string>{"y"}), Tensors{list})[0]
        .data<std::int32_t>()[0];
  };
  CHECK(parse("-2147483648", kInt64) == kMin);
  CHECK(parse("2147483648", kInt32) == kMin);
  CHECK(parse("-1e10", kInt32) == -1410065408);
  CHECK(parse("4294967295", kUint32) == -1);
  CHECK_THROWS_WITH(parse("2147483648", kInt64), ContainsSubstring("cannot hold 2147483648"));

  const auto shift = [](std::string_view direction, int type, std::int32_t x, std::int32_t bits) {
    const std::string attribute = bytes(5, bytes(1, "direction") + bytes(4, direction) + integer(20, 3));
    return run_nodes(node("BitShift", {"a", "b"}, {"y"}, attribute), type,
                     {ints({1}, {x}), ints({1}, {bits})})[0];
  };
  constexpr int kUint64 = 13;
  CHECK(shift("LEFT", kUint64, 3, 29) == 3 << 29);
  CHECK_THROWS_WITH(shift("LEFT", kUint64, 1, 31), ContainsSubstring("2 to the power 31"));
  CHECK(shift("LEFT", kUint8, 3, 7) == 128);
  CHECK(shift("RIGHT", kUint64, kMax, 30) == 1);
  CHECK(shift("RIGHT", kUint64, kMax, 31) == 0);
  CHECK(shift("RIGHT", kUint64, kMax, 40) == 0);
}
