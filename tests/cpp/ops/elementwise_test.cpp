#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "catch.h"
#include "ops/ops.h"

namespace tenure {
namespace {

using Catch::Matchers::Message;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();
const std::vector<float> kValues = {0.0F,  -0.0F, 0.5F, -0.5F, 1,   -1,   1.5F,  2.5F, -2.5F,
                                    3.25F, -7,    6,    20,    -90, kInf, -kInf, kNan};

template <class T>
Tensor vector_of(const std::vector<T>& values) {
  return Tensor::from(std::span<const T>(values), {static_cast<std::int32_t>(values.size())});
}

template <class T>
std::vector<T> list(const Tensor& x) {
  REQUIRE(x.dtype() == DTypeOf<T>::value);
  const auto values = x.values<T>();
  return {values.begin(), values.end()};
}

Tensor bools(std::initializer_list<std::uint8_t> values) {
  return Tensor::from(values, {static_cast<std::int32_t>(values.size())});
}

bool close(double got, double expected) {
  if (std::isnan(expected)) return std::isnan(got);
  if (std::isinf(static_cast<float>(expected))) return got == static_cast<float>(expected);
  return std::abs(got - expected) <= 1e-6 * std::abs(expected) + 1e-37;
}

double power(double x, double y) {
  return std::isnan(y) || (std::abs(x) == 1 && std::isinf(y)) ? kNan : std::pow(x, y);
}

}  // namespace

TEST_CASE("A power of 2 is the square, special values included", "[elementwise]") {
  const std::vector<float> got = list<float>(pow(vector_of(kValues), Tensor::scalar(2.0F)));
  for (std::size_t i = 0; i < got.size(); ++i) CHECK(close(got[i], power(kValues[i], 2)));
}

TEST_CASE("Unary ops on int32 stay int32 where TensorFlow.js does", "[elementwise]") {
  const Tensor x = Tensor::from({-7, 0, 3, 100000, std::numeric_limits<int>::min()}, {5});
  using Ints = std::vector<std::int32_t>;
  constexpr int kMin = std::numeric_limits<int>::min();
  CHECK(list<std::int32_t>(neg(x)) == Ints{7, 0, -3, -100000, kMin});
  CHECK(list<std::int32_t>(abs(x)) == Ints{7, 0, 3, 100000, kMin});
  CHECK(list<std::int32_t>(sign(x)) == Ints{-1, 0, 1, 1, -1});
  CHECK(list<std::int32_t>(square(x)) == Ints{49, 0, 9, 1410065408, 0});
  CHECK(list<std::int32_t>(relu(x)) == Ints{0, 0, 3, 100000, 0});
  CHECK(list<std::int32_t>(relu6(x)) == Ints{0, 0, 3, 6, 0});
  CHECK(list<std::int32_t>(step(x, {.alpha = 0})) == Ints{0, 0, 1, 1, 0});
  CHECK(list<std::int32_t>(round(x)) == Ints{-7, 0, 3, 100000, kMin});
  CHECK(list<std::int32_t>(clip_by_value(x, {.min = -kInf, .max = 5})) == Ints{-7, 0, 3, 5, kMin});
  CHECK(list<std::int32_t>(clip_by_value(x, {.min = 1, .max = kInf})) == Ints{1, 1, 3, 100000, 1});
}

TEST_CASE("Binary ops on int32 round down and wrap", "[elementwise]") {
  constexpr int kMin = std::numeric_limits<int>::min();
  const Tensor x = Tensor::from({7, -7, 7, -7, 5, kMin, 6}, {7});
  const Tensor y = Tensor::from({2, 2, -2, -2, 0, -1, 3}, {7});
  using Ints = std::vector<std::int32_t>;
  CHECK(list<std::int32_t>(div(x, y)) == Ints{3, -4, -4, 3, 0, kMin, 2});
  CHECK(list<std::int32_t>(floor_div(x, y)) == Ints{3, -4, -4, 3, 0, kMin, 2});
  CHECK(list<std::int32_t>(div_no_nan(x, y)) == Ints{3, -4, -4, 3, 0, kMin, 2});
  CHECK(list<std::int32_t>(mod(x, y)) == Ints{1, 1, -1, -1, 0, 0, 0});
  CHECK(list<std::int32_t>(maximum(x, y)) == Ints{7, 2, 7, -2, 5, -1, 6});
  CHECK(list<std::int32_t>(minimum(x, y)) == Ints{2, -7, -2, -7, 0, kMin, 3});
  CHECK(list<std::int32_t>(add(x, x)) == Ints{14, -14, 14, -14, 10, 0, 12});

  const Tensor base = Tensor::from({2, 2, 3, -2, 0, 2, 3}, {7});
  const Tensor exponent = Tensor::from({10, -1, 0, 3, -1, 31, 21}, {7});
  CHECK(list<std::int32_t>(pow(base, exponent)) == Ints{1024, 0, 1, -8, 0, kMin, 1870418611});
}

TEST_CASE("A column meets rows of any width, on either side", "[elementwise]") {
  for (const std::int32_t width : {1, 2, 3, 4, 7, 16, 64, 255, 256, 257, 300, 1023, 1030, 5001}) {
    for (const std::int32_t height : {1, 2, 5, 67}) {
      CAPTURE(width, height);
      const Tensor rows = reshape(range({.count = width * height}), {{height, width}});
      const Tensor column = reshape(range({.start = 1, .count = height}), {{height, 1}});
      const std::vector<float> sums = list<float>(add(rows, column));
      const std::vector<float> differences = list<float>(sub(column, rows));
      const std::vector<std::uint8_t> greater = list<std::uint8_t>(tenure::greater(column, rows));
      const std::vector<std::uint8_t> both =
          list<std::uint8_t>(logical_and(cast(rows, {DType::kBool}), cast(column, {DType::kBool})));
      for (std::size_t i = 0; i < sums.size(); ++i) {
        const auto x = static_cast<float>(i);
        const std::size_t row = i / static_cast<std::size_t>(width);
        const auto y = static_cast<float>(row + 1);
        REQUIRE(sums[i] == x + y);
        REQUIRE(differences[i] == y - x);
        REQUIRE(greater[i] == (y > x ? 1 : 0));
        REQUIRE(both[i] == (i > 0 ? 1 : 0));
      }
    }
  }
}

TEST_CASE("Booleans become numbers, whatever their count", "[elementwise]") {
  for (const std::int32_t count : {1, 3, 15, 16, 17, 40}) {
    std::vector<std::uint8_t> values(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = i % 3 == 0 ? 1 : 0;
    const std::vector<float> floats = list<float>(cast(vector_of(values), {DType::kFloat32}));
    const std::vector<std::int32_t> ints = list<std::int32_t>(cast(vector_of(values), {DType::kInt32}));
    CHECK(std::equal(values.begin(), values.end(), floats.begin()));
    CHECK(std::equal(values.begin(), values.end(), ints.begin()));
  }
}

TEST_CASE("Logical ops take bools alone", "[elementwise]") {
  const Tensor a = bools({0, 0, 1, 1, 1});
  const Tensor b = bools({0, 1, 0, 1, 1});
  CHECK(list<bool>(logical_and(a, b)) == std::vector<bool>{false, false, false, true, true});
  CHECK(list<bool>(logical_or(a, b)) == std::vector<bool>{false, true, true, true, true});
  CHECK(list<bool>(logical_xor(a, b)) == std::vector<bool>{false, true, true, false, false});
  CHECK(list<bool>(logical_not(b)) == std::vector<bool>{true, false, true, false, false});
  const Tensor x = Tensor::scalar(1.0F);
  CHECK_THROWS_MATCHES(
      logical_not(x), Error,
      Message(
          "[logicalNot] Argument 'x' passed to 'logicalNot' must be bool tensor, but got float32 tensor"));
  CHECK_THROWS_MATCHES(
      logical_and(a, x), Error,
      Message(
          "[logicalAnd] Argument 'b' passed to 'logicalAnd' must be bool tensor, but got float32 tensor"));
}

TEST_CASE("Elementwise inputs meet in one type", "[elementwise]") {
  const Tensor f = Tensor::from({0.5F, 1.5F}, {2});
  const Tensor i = Tensor::from({2, 3}, {2});
  const Tensor b = bools({1, 0});
  CHECK(list<float>(add(f, i)) == std::vector<float>{2.5F, 4.5F});
  CHECK(list<float>(mul(b, f)) == std::vector<float>{0.5F, 0});
  CHECK(list<std::int32_t>(add(i, b)) == std::vector<std::int32_t>{3, 3});
  CHECK(list<std::int32_t>(add(b, b)) == std::vector<std::int32_t>{2, 0});
  CHECK(list<std::int32_t>(neg(b)) == std::vector<std::int32_t>{-1, 0});
  CHECK(list<float>(sqrt(Tensor::from({4, 9}, {2}))) == std::vector<float>{2, 3});
  CHECK(list<bool>(less(i, f)) == std::vector<bool>{false, false});
  CHECK(list<bool>(is_nan(i)) == std::vector<bool>{false, false});
}

TEST_CASE("Elementwise ops reject what they cannot compute", "[elementwise]") {
  const Tensor a({{2, 3}, DType::kFloat32});
  const Tensor b({{4}, DType::kFloat32});
  CHECK_THROWS_MATCHES(add(a, b), Error,
                       Message("[add] Operands could not be broadcast together with shapes [2,3] and [4]."));
  const Tensor words({{0}, DType::kString});
  CHECK_THROWS_MATCHES(
      add(b, words), Error,
      Message("[add] Argument 'b' passed to 'add' must be numeric tensor, but got string tensor"));
  CHECK_THROWS_MATCHES(
      neg(words), Error,
      Message("[neg] Argument 'x' passed to 'neg' must be numeric tensor, but got string tensor"));
  CHECK_THROWS_MATCHES(
      exp(words), Error,
      Message("[exp] Argument 'x' passed to 'exp' must be numeric tensor, but got string tensor"));
}

}  // namespace tenure
