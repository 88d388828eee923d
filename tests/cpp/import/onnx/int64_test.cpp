// Ops that few models have, of integers of 64 bits, of unsigned ones, and of small ones.

#include "catch.h"
#include "core/strings.h"
#include "integers.h"

using namespace tenure;
using namespace tenure::test;
using namespace tenure::test::proto;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr int kInt16 = 5;
constexpr int kUint64 = 13;

std::string string_attribute(std::string_view name, std::string_view value) {
  return bytes(5, bytes(1, name) + bytes(4, value) + integer(20, 3));
}

/// Checks that a model of int64 computes `good`, and that `bad` is an error that names the node "y", in the
/// first run and in a plan.
void check_refusal(const std::string& nodes, const Tensors& good, const Tensors& bad,
                   std::string_view words) {
  const std::string text(words);
  CHECK_THROWS_WITH(run_nodes(nodes, kInt64, bad), ContainsSubstring(text) && ContainsSubstring("\"y\""));
  std::string ports = output(bytes(1, "y"));
  std::vector<std::string> names;
  for (std::size_t i = 0; i < good.size(); ++i) {
    names.emplace_back(1, static_cast<char>('a' + i));
    ports += input(value(names[i], kInt64, {}, false));
  }
  GraphModel model = onnx::load_model(as_bytes(proto::model(nodes + ports, 18)));
  const int program = model.compile(names, std::vector<std::string>{"y"});
  for (int i = 0; i < 3; ++i) model.run(program, good);
  CHECK_THROWS_WITH(model.run(program, bad), ContainsSubstring(text) && ContainsSubstring("\"y\""));
  model.run(program, good);
}

std::string scatter(std::string_view op, std::string_view reduction) {
  return node(op, {"a", "b", "c"}, {"y"}, string_attribute("reduction", reduction));
}

std::string reduction(std::string_view op) { return node(op, {"a"}, {"y"}, int_attribute("keepdims", 0)); }

}  // namespace

TEST_CASE("Scattered sums and products of int64 are exact, or errors that name the node", "[onnx]") {
  const Tensor x = ints({3}, {kMax, 5, 65536});
  const Tensor elements = ints({3}, {0, 2, 0});
  const Tensor slices = ints({3, 1}, {0, 2, 0});
  for (const auto& [op, at] : {std::pair("ScatterElements", elements), std::pair("ScatterND", slices)}) {
    // A sum may leave int32 on the way.
    CHECK(run_nodes(scatter(op, "add"), kInt64, {x, at, ints({3}, {1, 2, -1})}) ==
          std::vector{kMax, 5, 65538});
    check_refusal(scatter(op, "add"), {x, at, ints({3}, {0, 0, 0})}, {x, at, ints({3}, {2, 0, -1})},
                  "cannot hold");
    CHECK(run_nodes(scatter(op, "mul"), kInt64, {x, at, ints({3}, {kMax, -32768, 0})}) ==
          std::vector{0, 5, kMin});
    check_refusal(scatter(op, "mul"), {x, at, ints({3}, {1, 1, 1})}, {x, at, ints({3}, {1, 32768, 1})},
                  "a product of 3 updates");
    CHECK(run_nodes(scatter(op, "none"), kInt64, {x, at, ints({3}, {3, 4, 3})}) == std::vector{3, 5, 4});
    CHECK(run_nodes(scatter(op, "max"), kInt64, {x, at, ints({3}, {3, kMax, 3})}) ==
          std::vector{kMax, 5, kMax});
    CHECK(run_nodes(scatter(op, "min"), kInt64, {x, at, ints({3}, {3, kMin, 4})}) == std::vector{3, 5, kMin});
    CHECK_THROWS_WITH(run_nodes(scatter(op, "add"), kInt64, {x, at, ints({2}, {1, 2})}),
                      ContainsSubstring("do not fit"));
    // Others wrap around.
    CHECK(run_nodes(scatter(op, "add"), kInt32, {x, at, ints({3}, {2, 2, -1})}) ==
          std::vector{kMin, 5, 65538});
    CHECK(run_nodes(scatter(op, "mul"), kInt32, {x, at, ints({3}, {2, 65536, 1})}) == std::vector{-2, 5, 0});
  }
  const Tensor matrix = ints({2, 2}, {kMax, 2, 3, 4});
  const Tensor rows = ints({2, 2}, {1, 1, -1, -5});
  const auto sums = std::vector{kMax, -2, 3, 4};
  CHECK(run_nodes(scatter("ScatterND", "add"), kInt64, {matrix, ints({2, 1}, {0, -2}), rows}) == sums);
  CHECK(run_nodes(scatter("ScatterElements", "add"), kUint8,
                  {ints({2}, {250, 3}), ints({2}, {0, 0}), ints({2}, {4, 4})}) == std::vector{2, 3});
  CHECK(run_nodes(scatter("ScatterElements", "mul"), kInt8,
                  {ints({2}, {100, 3}), ints({1}, {0}), ints({1}, {2})}) == std::vector{-56, 3});
}

TEST_CASE("Scattered sums of many int64 are exact, or errors", "[onnx]") {
  constexpr std::int32_t kCount = 70000;
  const auto add = [](std::int32_t update) {
    return run_nodes(scatter("ScatterElements", "add"), kInt64,
                     {ints({2}, {5, -7}), ints({kCount}, std::vector<std::int32_t>(kCount, 1)),
                      ints({kCount}, std::vector<std::int32_t>(kCount, update))});
  };
  CHECK(add(30000) == std::vector{5, 2099999993});
  CHECK_THROWS_WITH(add(40000), ContainsSubstring("a sum of 70000 updates"));
}

TEST_CASE("Means of integers are exact, and truncated toward zero", "[onnx]") {
  const auto mean = reduction("ReduceMean");
  CHECK(run_nodes(mean, kInt64, {ints({1}, {16777217})}) == std::vector{16777217});
  CHECK(run_nodes(mean, kInt64, {ints({3}, {kMax, kMax, kMax})}) == std::vector{kMax});
  CHECK(run_nodes(mean, kInt64, {ints({2}, {kMin, kMin})}) == std::vector{kMin});
  CHECK(run_nodes(mean, kInt64, {ints({2}, {-4, -3})}) == std::vector{-3});
  CHECK(run_nodes(mean, kInt64, {ints({2}, {4, 3})}) == std::vector{3});
  const std::string axes = bytes(5, tensor("axes", kInt64, {1}, raw({std::int64_t{0}})));
  for (const int type : {kInt32, kInt64}) {
    CHECK(run_nodes(node("ReduceMean", {"a", "axes"}, {"y"}) + axes, type, {ints({2, 2}, {1, -5, 2, -6})}) ==
          std::vector{1, -5});
    CHECK(run_nodes(mean, type, {ints({1}, {16777217})}) == std::vector{16777217});
  }
  CHECK(run_nodes(mean, kInt32, {ints({2}, {kMax, 3})}) == std::vector{1073741825});
}

TEST_CASE("Means of many integers are exact", "[onnx]") {
  const auto mean = reduction("ReduceMean");
  for (const std::int32_t side : {215, 224}) {
    const Shape shape{1, 3, side, side};
    const auto count = static_cast<std::size_t>(shape.elements());
    for (const int type : {kInt32, kInt64}) {
      for (const std::int32_t value : {-1, kMax, kMin, 255})
        CHECK(run_nodes(mean, type, {ints(shape, std::vector<std::int32_t>(count, value))}) ==
              std::vector{value});
      std::vector<std::int32_t> values(count);
      std::uint32_t state = 1;
      std::int64_t total = 0;
      for (std::int32_t& value : values) {
        state = state * 1664525 + 1013904223;
        value = static_cast<std::int32_t>(state >> 1);
        total += value;
      }
      CHECK(run_nodes(mean, type, {ints(shape, values)}) ==
            std::vector{static_cast<std::int32_t>(total / static_cast<std::int64_t>(count))});
    }
  }
  // The largest sum of remainders in int32.
  constexpr std::int32_t kCount = 46341;
  CHECK(run_nodes(mean, kInt32, {ints({kCount}, std::vector<std::int32_t>(kCount, -1))}) == std::vector{-1});
}

TEST_CASE("Norms and logarithms of int64 are integers, or errors", "[onnx]") {
  for (const int type : {kInt32, kInt64}) {
    CHECK(run_nodes(reduction("ReduceL2"), type, {ints({1}, {16777217})}) == std::vector{16777217});
    CHECK(run_nodes(reduction("ReduceL2"), type, {ints({2}, {3, -4})}) == std::vector{5});
    CHECK(run_nodes(reduction("ReduceL2"), type, {ints({2}, {kMax, 1})}) == std::vector{kMax});
    CHECK(run_nodes(reduction("ReduceL2"), type, {ints({3}, {1, 1, 1})}) == std::vector{1});
  }
  check_refusal(reduction("ReduceL2"), {ints({2}, {1, 2})}, {ints({2}, {kMax, kMax})},
                "the norm of 2 elements");
  check_refusal(reduction("ReduceL2"), {ints({1}, {1})}, {ints({1}, {kMin})}, "the norm of 1 elements");
  check_refusal(reduction("ReduceLogSum"), {ints({2}, {1, 2})}, {ints({2}, {kMax, 1})},
                "the sum of 2 elements");
  CHECK(run_nodes(reduction("ReduceLogSum"), kInt64, {ints({2}, {20, 1})}) == std::vector{3});
  CHECK(run_nodes(reduction("ReduceLogSumExp"), kInt64, {ints({2}, {20, 20})}) == std::vector{20});
  check_refusal(reduction("ReduceLogSumExp"), {ints({2}, {1, 2})}, {ints({2}, {kMax, kMax})}, "cannot hold");
}

TEST_CASE("Remainders of the lowest integer have the sign of the dividend", "[onnx]") {
  const auto rest = node("Mod", {"a", "b"}, {"y"}, int_attribute("fmod", 1));
  for (const int type : {kInt32, kInt64}) {
    CHECK(run_nodes(rest, type,
                    {ints({8}, {kMin, kMin, 5, -5, 7, -7, 7, -7}),
                     ints({8}, {3, kMin, kMin, kMin, 3, 3, -3, -3})}) ==
          std::vector{-2, 0, 5, -5, 1, -1, 1, -1});
  }
}

TEST_CASE("The lowest small integer has itself as its negative and its absolute value", "[onnx]") {
  for (const std::string_view op : {"Neg", "Abs"}) {
    CHECK(run_nodes(node(op, {"a"}, {"y"}), kInt8, {ints({2}, {-128, -5})}) == std::vector{-128, 5});
    CHECK(run_nodes(node(op, {"a"}, {"y"}), kInt16, {ints({2}, {-32768, -5})}) == std::vector{-32768, 5});
  }
}

TEST_CASE("Integers that float32 does not hold are padded with, sloped and shrunk", "[onnx]") {
  const std::string pads = bytes(5, tensor("pads", kInt64, {2}, raw<std::int64_t>({1, 2})));
  for (const std::int64_t value :
       {std::int64_t{16777217}, std::int64_t{kMax}, std::int64_t{kMin}, std::int64_t{7}}) {
    const std::string constant = bytes(5, tensor("value", kInt64, {}, raw({value})));
    const auto v = static_cast<std::int32_t>(value);
    CHECK(run_nodes(node("Pad", {"a", "pads", "value"}, {"y"}) + pads + constant, kInt64,
                    {ints({2}, {kMax, kMin})}) == std::vector{v, kMax, kMin, v, v});
  }
  const auto slope = node("PRelu", {"a", "b"}, {"y"});
  CHECK(run_nodes(slope, kInt64, {ints({3}, {kMax, -16777217, 0}), ints({1}, {3})}) ==
        std::vector{kMax, -50331651, 0});
  check_refusal(slope, {ints({1}, {-1}), ints({1}, {1})}, {ints({1}, {-65536}), ints({1}, {65536})},
                "-65536 * 65536");
  CHECK(run_nodes(slope, kInt32, {ints({1}, {-65536}), ints({1}, {65536})}) == std::vector{0});
  CHECK(run_nodes(node("Shrink", {"a"}, {"y"}), kInt64, {ints({3}, {-3, 0, 4})}) == std::vector{-3, 0, 4});
}

TEST_CASE("Strings of constants beyond int32 are refused, too", "[onnx]") {
  const std::string text =
      bytes(5, integer(1, 1) + integer(2, kString) + bytes(8, "c") + bytes(6, "2147483648"));
  const auto parse = [&](int to) {
    return text + node("Cast", {"c"}, {"d"}, int_attribute("to", to)) + node("Max", {"a", "d"}, {"y"});
  };
  CHECK_THROWS_WITH(run_nodes(parse(kInt64), kInt64, {ints({1}, {0})}),
                    ContainsSubstring("cannot hold 2147483648") && ContainsSubstring("\"d\""));
  CHECK(run_nodes(parse(kInt32), kInt32, {ints({1}, {kMin})}) == std::vector{kMin});
}

TEST_CASE("Labels of a file beyond int32 are refused when it is loaded", "[onnx]") {
  const auto load = [](std::int64_t label) {
    const std::string encoder = node("LabelEncoder", {"a"}, {"y"},
                                     ints_attribute("keys_int64s", {1, std::int64_t{1} << 40}) +
                                         ints_attribute("values_int64s", {2, label}),
                                     "ai.onnx.ml");
    return run_nodes(encoder, kInt64, {ints({1}, {1})});
  };
  CHECK(load(3) == std::vector{2});
  CHECK_THROWS_WITH(load(2147483648), ContainsSubstring("values_int64s") &&
                                          ContainsSubstring("cannot hold 2147483648") &&
                                          ContainsSubstring("\"y\""));
}

TEST_CASE("Unsigned integers beyond int32 wrap around, and are refused where their order counts", "[onnx]") {
  const Tensor a = ints({2}, {kMax, 3});
  const Tensor b = ints({2}, {2, 4});
  const std::string sum = node("Add", {"a", "b"}, {"s"});
  // 2^31 + 1 and 7.
  const auto then = [&](std::string_view op, std::string_view attributes = {}) {
    return sum + node(op, {"s"}, {"y"}, attributes);
  };
  CHECK(run_nodes(sum + node("Sub", {"s", "b"}, {"y"}), kUint32, {a, b}) == std::vector{kMax, 3});
  const auto check_refuses = [](const std::string& nodes, int type, const Tensors& given) {
    const std::string number = type == kUint64 ? "18446744073709551615" : "2147483649";
    CHECK_THROWS_WITH(run_nodes(nodes, type, given),
                      ContainsSubstring("cannot hold " + number) && ContainsSubstring("in the node \"y\""));
  };
  for (const std::string_view op : {"Div", "Mod", "Pow"}) {
    CAPTURE(op);
    check_refuses(sum + node(op, {"s", "b"}, {"y"}), kUint32, {a, b});
    CHECK_NOTHROW(
        run_nodes(node(op, {"a", "b"}, {"x"}) + node("Cast", {"x"}, {"y"}, int_attribute("to", kInt32)),
                  kUint32, {a, b}));
  }
  check_refuses(then("ReduceMax"), kUint32, {a, b});
  check_refuses(then("Cast", int_attribute("to", kInt64)), kUint32, {a, b});
  check_refuses(sum + node("Cast", {"s"}, {"y"}, int_attribute("to", kFloat)) +
                    node("Cast", {"y"}, {"z"}, int_attribute("to", kInt32)),
                kUint32, {a, b});
  CHECK(run_nodes(sum + node("BitShift", {"s", "b"}, {"y"}, string_attribute("direction", "LEFT")), kUint32,
                  {a, b}) == std::vector{4, 112});
  // The lower bits are kept.
  CHECK(run_nodes(then("Cast", int_attribute("to", kInt32)), kUint32, {a, b}) == std::vector{kMin + 1, 7});
  CHECK(run_nodes(then("Cast", int_attribute("to", kUint8)), kUint32, {a, b}) == std::vector{1, 7});

  // 3 - 4 is 2^64 - 1.
  const std::string difference = node("Sub", {"a", "b"}, {"s"});
  CHECK(run_nodes(difference + node("Add", {"s", "b"}, {"y"}), kUint64, {ints({1}, {3}), ints({1}, {4})}) ==
        std::vector{3});
  check_refuses(difference + node("Div", {"s", "b"}, {"y"}), kUint64, {ints({1}, {3}), ints({1}, {4})});
}

TEST_CASE("Constants of uint32 have all bits, and floats beyond int32 are not cast to it", "[onnx]") {
  const std::string mask = bytes(5, tensor("mask", kUint32, {}, raw({std::uint32_t{0xFFFF0000U}})));
  CHECK(run_nodes(mask + node("BitwiseAnd", {"a", "mask"}, {"y"}), kUint32, {ints({1}, {0x12345678})}) ==
        std::vector{0x12340000});
  CHECK(run_nodes(mask + node("Min", {"a", "mask"}, {"y"}), kUint32, {ints({1}, {1})}) == std::vector{1});
  CHECK_THROWS_WITH(
      run_nodes(node("Cast", {"a"}, {"y"}, int_attribute("to", kUint32)), kFloat, {floats({3e9F})}),
      ContainsSubstring("cannot hold 3000000000") && ContainsSubstring("\"y\""));
  CHECK(run_nodes(node("Cast", {"a"}, {"y"}, int_attribute("to", kUint32)), kFloat, {floats({2e9F})}) ==
        std::vector{2000000000});
}

TEST_CASE("All of uint32 is compared, clamped and shifted", "[onnx]") {
  // 0, 1, 2^31 - 1, 2^31 and 2^32 - 1.
  const Tensor a = ints({5}, {0, 1, kMax, kMin, -1});
  const Tensor b = ints({}, {kMin});
  const auto compare = [&](std::string_view op) {
    return run_nodes(node(op, {"a", "b"}, {"x"}) + node("Cast", {"x"}, {"y"}, int_attribute("to", kInt32)),
                     kUint32, {a, b});
  };
  CHECK(compare("Less") == std::vector{1, 1, 1, 0, 0});
  CHECK(compare("LessOrEqual") == std::vector{1, 1, 1, 1, 0});
  CHECK(compare("Greater") == std::vector{0, 0, 0, 0, 1});
  CHECK(compare("GreaterOrEqual") == std::vector{0, 0, 0, 1, 1});
  CHECK(run_nodes(node("Max", {"a", "b"}, {"y"}), kUint32, {a, b}) ==
        std::vector{kMin, kMin, kMin, kMin, -1});
  CHECK(run_nodes(node("Min", {"a", "b"}, {"y"}), kUint32, {a, b}) == std::vector{0, 1, kMax, kMin, kMin});
  const auto clip = node("Clip", {"a", "b", "c"}, {"y"});
  CHECK(run_nodes(clip, kUint32, {a, ints({}, {0}), ints({}, {-1})}) == std::vector{0, 1, kMax, kMin, -1});
  CHECK(run_nodes(clip, kUint32, {a, ints({}, {kMax}), b}) == std::vector{kMax, kMax, kMax, kMin, kMin});
  CHECK(run_nodes(node("Abs", {"a"}, {"y"}), kUint32, {a}) == std::vector{0, 1, kMax, kMin, -1});
  CHECK_THROWS_WITH(run_nodes(node("Less", {"a", "b"}, {"y"}), kUint64, {a, b}),
                    ContainsSubstring("cannot hold 18446744071562067968"));

  const auto shift = node("BitShift", {"a", "b"}, {"y"}, string_attribute("direction", "RIGHT"));
  CHECK(run_nodes(shift, kUint32, {a, ints({}, {0})}) == std::vector{0, 1, kMax, kMin, -1});
  CHECK(run_nodes(shift, kUint32, {a, ints({}, {1})}) == std::vector{0, 0, kMax >> 1, 1 << 30, kMax});
  CHECK(run_nodes(shift, kUint32, {a, ints({}, {30})}) == std::vector{0, 0, 1, 2, 3});
  CHECK(run_nodes(shift, kUint32, {a, ints({}, {31})}) == std::vector{0, 0, 0, 1, 1});
}

TEST_CASE("Of what a cast makes its input like, only the type counts", "[onnx]") {
  const std::string like = bytes(5, tensor("like", kUint32, {}, raw({std::uint32_t{0xFFFFFFFFU}})));
  CHECK(run_nodes(like + node("CastLike", {"a", "like"}, {"y"}), kUint32, {ints({2}, {-1, 5})}) ==
        std::vector{-1, 5});
  CHECK(run_nodes(like + node("CastLike", {"a", "like"}, {"y"}), kFloat, {floats({7})}) == std::vector{7});
  CHECK_THROWS_WITH(run_nodes(node("CastLike", {"a", "b"}, {"y"}), kUint32, {ints({1}, {-1}), floats({1})}),
                    ContainsSubstring("cannot hold 4294967295"));
}
