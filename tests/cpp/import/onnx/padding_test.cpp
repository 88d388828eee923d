// Pads that repeat or mirror their input, and casts of bits.

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

std::string string_attribute(std::string_view name, std::string_view text) {
  return bytes(5, bytes(1, name) + bytes(4, text) + integer(20, 3));
}

Tensor run(const std::string& file, const Tensor& x) {
  GraphModel model = onnx::load_model(as_bytes(file));
  const int program = model.compile(std::vector<std::string>{"x"}, std::vector<std::string>{"y"});
  return model.run(program, std::span(&x, 1))[0];
}

std::vector<std::int32_t> pad(std::string_view mode, const Tensor& x, std::int64_t before,
                              std::int64_t after) {
  const std::string pads = tensor("pads", kInt64, {2}, raw({before, after}));
  const Tensor y = run(proto::model(node("Pad", {"x", "pads"}, {"y"}, string_attribute("mode", mode)) +
                                        input(value("x", kInt32, {}, false)) +
                                        output(value("y", kInt32, {}, false)) + bytes(5, pads),
                                    19),
                       x);
  const std::span<const std::int32_t> values = y.values<std::int32_t>();
  return {values.begin(), values.end()};
}

std::vector<std::int32_t> cast_bits(int from, int to, const Tensor& x) {
  const Tensor y =
      run(proto::model(node("BitCast", {"x"}, {"y"}, int_attribute("to", to)) +
                           input(value("x", from, {}, false)) + output(value("y", to, {}, false)),
                       26),
          x);
  const std::span<const std::int32_t> values = y.values<std::int32_t>();
  return {values.begin(), values.end()};
}

}  // namespace

TEST_CASE("Pads repeat or mirror their input as often as they need", "[onnx]") {
  using Values = std::vector<std::int32_t>;
  const std::size_t live = allocator_stats().live;
  {
    const Tensor x = Tensor::from({1, 2, 3}, {3});
    CHECK(pad("wrap", x, 1, 2) == Values{3, 1, 2, 3, 1, 2});
    CHECK(pad("wrap", x, 4, 4) == Values{3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1});
    CHECK(pad("wrap", x, -1, 3) == Values{2, 3, 2, 3, 2});
    CHECK(pad("reflect", x, 2, 1) == Values{3, 2, 1, 2, 3, 2});
    CHECK(pad("reflect", x, 5, 4) == Values{2, 1, 2, 3, 2, 1, 2, 3, 2, 1, 2, 3});
    CHECK(pad("reflect", Tensor::from({7}, {1}), 2, 1) == Values{7, 7, 7, 7});
    CHECK_THROWS_WITH(pad("wrap", x, 1 << 26, 0), ContainsSubstring("cannot pad axis 0"));
    CHECK_THROWS_WITH(pad("wrap", x, -3, 1), ContainsSubstring("cannot pad axis 0"));
  }
  CHECK(allocator_stats().live == live);
}

TEST_CASE("The bits of small integers are cast to the other sign", "[onnx]") {
  using Values = std::vector<std::int32_t>;
  constexpr int kUint16 = 4;
  constexpr int kInt16 = 5;
  CHECK(cast_bits(kInt8, kUint8, Tensor::from({-1, -128, 127, 0}, {4})) == Values{255, 128, 127, 0});
  CHECK(cast_bits(kUint16, kInt16, Tensor::from({1, 32768, 65535}, {3})) == Values{1, -32768, -1});
  CHECK(cast_bits(kFloat, kInt32, Tensor::from({1.0F, -2.5F}, {2})) == Values{1065353216, -1071644672});
  CHECK(cast_bits(kBool, kUint8, Tensor::from({true, false}, {2})) == Values{1, 0});
  CHECK_THROWS_WITH(cast_bits(kFloat, kInt64, Tensor::from({1.0F}, {1})), ContainsSubstring("bits are cast"));
  for (const int type : {kInt32, kInt64, kUint16}) {
    CAPTURE(type);
    CHECK_THROWS_WITH(cast_bits(type, kInt8, Tensor::from({300}, {1})), ContainsSubstring("bits are cast"));
  }
  CHECK_THROWS_WITH(cast_bits(kBool, kUint16, Tensor::from({true}, {1})), ContainsSubstring("bits are cast"));
}
