// Floats of 4 and 8 bits, bfloat16, and integers of 2 bits. The values of a format are computed from its
// definition, and those that a Cast rounds to are searched among them.

#include <algorithm>
#include <cmath>
#include <limits>

#include "catch.h"
#include "core/memory/allocator.h"
#include "import/onnx/load.h"
#include "protobuf.h"

using namespace tenure;
using namespace tenure::test;
using namespace tenure::test::proto;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

constexpr int kBfloat16 = 16;
constexpr int kFloat8E8M0 = 24;
constexpr int kUint2 = 25;
constexpr int kInt2 = 26;

struct Format {
  std::string_view name;
  int type;
  int bits;
  int exponent_bits;
  int bias;
  std::vector<int> nan_codes;
  std::vector<int> infinite_codes = {};
};

const std::vector<Format> kFormats = {
    {"e4m3fn", 17, 8, 4, 7, {0x7F, 0xFF}},
    {"e4m3fnuz", 18, 8, 4, 8, {0x80}},
    {"e5m2", 19, 8, 5, 15, {0x7D, 0x7E, 0x7F, 0xFD, 0xFE, 0xFF}, {0x7C, 0xFC}},
    {"e5m2fnuz", 20, 8, 5, 16, {0x80}},
    {"e2m1", 23, 4, 2, 1, {}},
};

bool contains(const std::vector<int>& codes, int code) {
  return std::find(codes.begin(), codes.end(), code) != codes.end();
}

/// Returns the value of a code: (-1)^sign * 2^(exponent - bias) * 1.fraction, or 0.fraction for exponent 0.
double get_value(const Format& format, int code) {
  const int fraction_bits = format.bits - 1 - format.exponent_bits;
  const double sign = (code >> (format.bits - 1)) != 0 ? -1 : 1;
  if (contains(format.nan_codes, code)) return kNaN;
  if (contains(format.infinite_codes, code)) return sign * kInfinity;
  const int exponent = code >> fraction_bits & ((1 << format.exponent_bits) - 1);
  const double fraction = (code & ((1 << fraction_bits) - 1)) / std::pow(2.0, fraction_bits);
  if (exponent == 0) return sign * std::pow(2.0, 1 - format.bias) * fraction;
  return sign * std::pow(2.0, exponent - format.bias) * (1 + fraction);
}

/// Returns the value nearest to x of those that are finite, that of the even code of two.
double find_nearest(const Format& format, double x) {
  double best = kNaN;
  int best_code = 0;
  for (int code = 0; code < 1 << format.bits; ++code) {
    const double value = get_value(format, code);
    if (!std::isfinite(value)) continue;
    const double distance = std::abs(value - x);
    const double least = std::abs(best - x);
    if (std::isnan(best) || distance < least || (distance == least && code % 2 == 0 && best_code % 2 == 1)) {
      best = value;
      best_code = code;
    }
  }
  return best;
}

double find_largest(const Format& format) { return find_nearest(format, 1e6); }

/// Runs a Cast of x. `rest` are attributes.
std::vector<float> cast(const std::vector<float>& x, int to, const std::string& rest = {}) {
  const Tensor given = Tensor::from(std::span<const float>(x), {static_cast<std::int32_t>(x.size())});
  GraphModel model = onnx::load_model(
      as_bytes(proto::model(node("Cast", {"x"}, {"y"}, int_attribute("to", to) + rest) +
                                input(value("x", kFloat, {}, false)) + output(value("y", to, {}, false)),
                            25)));
  const int program = model.compile(std::vector<std::string>{"x"}, std::vector<std::string>{"y"});
  const Tensor y = model.run(program, std::span(&given, 1))[0];
  return {y.data<float>(), y.data<float>() + y.elements()};
}

/// Returns the elements of an initializer of a type, as they are decoded.
Tensor decode(int type, std::initializer_list<std::int64_t> dims, std::string_view data) {
  GraphModel model = onnx::load_model(
      as_bytes(proto::model(bytes(5, tensor("x", type, dims, data)) + node("Identity", {"x"}, {"y"}) +
                                output(value("y", type, {}, false)),
                            25)));
  return model.run(model.compile(std::vector<std::string>{}, std::vector<std::string>{"y"}), {})[0];
}

bool is_same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

/// Values around all those of a format: each one, the middle between it and the next, and both sides of it.
std::vector<float> make_inputs(const Format& format) {
  std::vector<double> values;
  for (int code = 0; code < 1 << format.bits; ++code) {
    if (std::isfinite(get_value(format, code))) values.push_back(get_value(format, code));
  }
  std::sort(values.begin(), values.end());
  std::vector<float> inputs;
  for (std::size_t i = 0; i + 1 < values.size(); ++i) {
    const auto middle = static_cast<float>((values[i] + values[i + 1]) / 2);
    for (const float x : {static_cast<float>(values[i]), middle, std::nextafter(middle, -1e30F),
                          std::nextafter(middle, 1e30F)})
      inputs.push_back(x);
  }
  return inputs;
}

}  // namespace

TEST_CASE("Small floats are decoded", "[onnx][small_types]") {
  const std::size_t live = allocator_stats().live;
  std::string codes;
  for (int code = 0; code < 256; ++code) codes += static_cast<char>(code);
  for (const Format& format : kFormats) {
    const int count = 256 * 8 / format.bits;
    const Tensor found = decode(format.type, {count}, codes);
    for (int i = 0; i < count; ++i) {
      const int code = format.bits == 8 ? i : i % 2 == 0 ? i / 2 % 16 : i / 2 / 16;
      CAPTURE(format.name, code);
      CHECK(is_same(found.data<float>()[i], get_value(format, code)));
    }
  }
  {
    const Tensor powers = decode(kFloat8E8M0, {256}, codes);
    for (int i = 0; i < 255; ++i) CHECK(powers.data<float>()[i] == std::ldexp(1.0F, i - 127));
    CHECK(std::isnan(powers.data<float>()[255]));
  }
  CHECK(allocator_stats().live == live);
}

TEST_CASE("Integers of 2 bits are four in a byte", "[onnx][small_types]") {
  const auto values = [](const Tensor& x) {
    const std::span<const std::int32_t> all = x.values<std::int32_t>();
    return std::vector<std::int32_t>(all.begin(), all.end());
  };
  CHECK(values(decode(kUint2, {6}, "\xE4\x06")) == std::vector<std::int32_t>{0, 1, 2, 3, 2, 1});
  CHECK(values(decode(kInt2, {2, 3}, "\xE4\x06")) == std::vector<std::int32_t>{0, 1, -2, -1, -2, 1});
  CHECK_THROWS_WITH(decode(kInt2, {9}, "\xE4\x06"), ContainsSubstring("takes 3"));
  CHECK_THROWS_WITH(decode(17, {3}, "\xE4\x06"), ContainsSubstring("takes 3"));
  CHECK_THROWS_WITH(decode(27, {1}, "\xE4"), ContainsSubstring("which tensors cannot have"));
}

TEST_CASE("A Cast rounds to the nearest small float", "[onnx][small_types]") {
  for (const Format& format : kFormats) {
    const std::vector<float> inputs = make_inputs(format);
    const std::vector<float> found = cast(inputs, format.type);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      CAPTURE(format.name, inputs[i]);
      CHECK(is_same(found[i], find_nearest(format, static_cast<double>(inputs[i]))));
    }
  }
}

TEST_CASE("A Cast to a small float saturates, or overflows", "[onnx][small_types]") {
  const float infinity = std::numeric_limits<float>::infinity();
  const std::vector<float> inputs = {1e6F, -1e6F, infinity, -infinity, std::nanf("")};
  for (const Format& format : kFormats) {
    CAPTURE(format.name);
    const double largest = find_largest(format);
    const double none = format.nan_codes.empty() ? 0 : kNaN;
    const std::vector<float> found = cast(inputs, format.type);
    for (const std::size_t i : {0U, 2U}) CHECK(is_same(found[i], largest));
    for (const std::size_t i : {1U, 3U}) CHECK(is_same(found[i], -largest));
    CHECK(is_same(found[4], none));
    // A format without NaN saturates always.
    const double beyond = format.nan_codes.empty()        ? largest
                          : format.infinite_codes.empty() ? kNaN
                                                          : kInfinity;
    const std::vector<float> wide = cast(inputs, format.type, int_attribute("saturate", 0));
    for (const std::size_t i : {0U, 2U}) CHECK(is_same(wide[i], beyond));
    for (const std::size_t i : {1U, 3U}) CHECK(is_same(wide[i], -beyond));
    CHECK(is_same(wide[4], none));
  }
}

TEST_CASE("A Cast to bfloat16 rounds to 8 bits", "[onnx][small_types]") {
  const float infinity = std::numeric_limits<float>::infinity();
  const std::vector<float> inputs = {1.00390625F, 1.01171875F, -3.1415927F, 0.1F, infinity, 3.4e38F, 0.0F};
  const std::vector<float> expected = {1.0F, 1.015625F, -3.140625F, 0.10009765625F, infinity, 3.4e38F, 0.0F};
  CHECK(cast(inputs, kBfloat16) == expected);
  CHECK(std::isnan(cast({std::nanf("")}, kBfloat16)[0]));
  // The fraction has 7 bits: halves between two of them are rounded to the even one at any exponent.
  for (int exponent = -126; exponent < 128; ++exponent) {
    CAPTURE(exponent);
    const auto scale = [&](float x) { return std::ldexp(x, exponent); };
    CHECK(cast({scale(-1.00390625F), scale(1.01171875F), scale(1.0078126F), scale(1.98F)}, kBfloat16) ==
          std::vector<float>{scale(-1.0F), scale(1.015625F), scale(1.0078125F), scale(1.9765625F)});
  }
}

TEST_CASE("A Cast to float8e8m0 takes a power of two", "[onnx][small_types]") {
  const auto mode = [](std::string_view text) {
    return bytes(5, bytes(1, "round_mode") + bytes(4, text) + integer(20, 3));
  };
  const std::vector<float> inputs = {0.124F, 0.25F, 1.1F, 1.6F, 3.9F};
  CHECK(cast(inputs, kFloat8E8M0) == std::vector<float>{0.125F, 0.25F, 2, 2, 4});
  CHECK(cast(inputs, kFloat8E8M0, mode("down")) == std::vector<float>{0.0625F, 0.25F, 1, 1, 2});
  CHECK(cast(inputs, kFloat8E8M0, mode("nearest")) == std::vector<float>{0.125F, 0.25F, 1, 2, 4});
  for (int exponent = -127; exponent < 128; ++exponent) {
    CAPTURE(exponent);
    const float power = std::ldexp(1.0F, exponent);
    const float next = exponent == 127 ? power : 2 * power;
    const std::vector<float> around = {power, 1.25F * power, 1.5F * power, 1.75F * power};
    CHECK(cast(around, kFloat8E8M0) == std::vector<float>{power, next, next, next});
    CHECK(cast(around, kFloat8E8M0, mode("down")) == std::vector<float>{power, power, power, power});
    CHECK(cast(around, kFloat8E8M0, mode("nearest")) == std::vector<float>{power, power, next, next});
  }
  CHECK(cast({1e35F}, kFloat8E8M0, mode("down"))[0] == std::ldexp(1.0F, 116));
  CHECK_THROWS_WITH(cast(inputs, kFloat8E8M0, mode("across")), ContainsSubstring("round_mode"));
}

TEST_CASE("A BitCast of small floats is refused by name, unless it changes nothing", "[onnx][small_types]") {
  const auto bit_cast = [](int from, int to) {
    GraphModel model = onnx::load_model(
        as_bytes(proto::model(node("Cast", {"x"}, {"z"}, int_attribute("to", from)) +
                                  node("BitCast", {"z"}, {"y"}, int_attribute("to", to)) +
                                  input(value("x", kFloat, {}, false)) + output(value("y", to, {}, false)),
                              26)));
    const Tensor x = Tensor::from({1.5F}, {1});
    const int program = model.compile(std::vector<std::string>{"x"}, std::vector<std::string>{"y"});
    return model.run(program, std::span(&x, 1))[0].values<float>()[0];
  };
  CHECK(bit_cast(17, 17) == 1.5F);
  CHECK(bit_cast(kFloat, kFloat) == 1.5F);
  CHECK_THROWS_WITH(bit_cast(17, 19), ContainsSubstring("between float8e4m3fn and float8e5m2"));
  CHECK_THROWS_WITH(bit_cast(kBfloat16, kFloat), ContainsSubstring("between bfloat16 and float32"));
  CHECK_THROWS_WITH(bit_cast(kFloat, kBfloat16), ContainsSubstring("between float32 and bfloat16"));
  CHECK_THROWS_WITH(bit_cast(17, 2), ContainsSubstring("between float8e4m3fn and uint8"));
}

TEST_CASE("A Cast to float8e8m0 saturates at both ends, or gives NaN", "[onnx][small_types]") {
  const float infinity = std::numeric_limits<float>::infinity();
  const float least = std::ldexp(1.0F, -127);
  const float most = std::ldexp(1.0F, 127);
  const std::vector<float> inputs = {0, -0.0F, -1, -infinity, infinity, 3e38F};
  CHECK(cast(inputs, kFloat8E8M0) == std::vector<float>{least, least, least, least, most, most});
  for (const float x : cast(inputs, kFloat8E8M0, int_attribute("saturate", 0))) CHECK(std::isnan(x));
  CHECK(std::isnan(cast({std::nanf("")}, kFloat8E8M0)[0]));
}
