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

struct UnaryCase {
  Op op;
  std::function<double(double)> exact;
  AttrsView attrs = {};
};

const AlphaAttrs kAlpha{0.25F};
const ClipAttrs kClip{-2, 3};

const UnaryCase kUnary[] = {
    {Op::neg, [](double x) { return -x; }},
    {Op::abs, [](double x) { return std::abs(x); }},
    {Op::sign, [](double x) { return x > 0   ? 1.0
                                     : x < 0 ? -1.0
                                             : 0.0; }},
    {Op::square, [](double x) { return x * x; }},
    {Op::relu, [](double x) { return x < 0 ? 0 : x; }},
    {Op::relu6, [](double x) { return x < 0   ? 0
                                      : x > 6 ? 6
                                              : x; }},
    {Op::clip_by_value, [](double x) { return x < -2  ? -2
                                              : x > 3 ? 3
                                                      : x; }, AttrsView(kClip)},
    {Op::step, [](double x) { return x > 0    ? 1
                                     : x == x ? 0.25
                                              : x; }, AttrsView(kAlpha)},
    {Op::ceil, [](double x) { return std::ceil(x); }},
    {Op::floor, [](double x) { return std::floor(x); }},
    {Op::round, [](double x) { return std::nearbyint(x); }},
    {Op::reciprocal, [](double x) { return 1 / x; }},
    {Op::sqrt, [](double x) { return std::sqrt(x); }},
    {Op::rsqrt, [](double x) { return 1 / std::sqrt(x); }},
    {Op::exp, [](double x) { return std::exp(x); }},
    {Op::expm1, [](double x) { return std::expm1(x); }},
    {Op::log, [](double x) { return std::log(x); }},
    {Op::log1p, [](double x) { return std::log1p(x); }},
    {Op::sin, [](double x) { return std::sin(x); }},
    {Op::cos, [](double x) { return std::cos(x); }},
    {Op::tan, [](double x) { return std::tan(x); }},
    {Op::asin, [](double x) { return std::asin(x); }},
    {Op::acos, [](double x) { return std::acos(x); }},
    {Op::atan, [](double x) { return std::atan(x); }},
    {Op::sinh, [](double x) { return std::sinh(x); }},
    {Op::cosh, [](double x) { return std::cosh(x); }},
    {Op::tanh, [](double x) { return std::tanh(x); }},
    {Op::asinh, [](double x) { return std::asinh(x); }},
    {Op::acosh, [](double x) { return std::acosh(x); }},
    {Op::atanh, [](double x) { return std::atanh(x); }},
    {Op::erf, [](double x) { return std::erf(x); }},
    {Op::sigmoid, [](double x) { return 1 / (1 + std::exp(-x)); }},
    {Op::softplus, [](double x) { return x > 50 ? x : std::log1p(std::exp(x)); }},
    {Op::elu, [](double x) { return x > 0 ? x : 0.25 * std::expm1(x); }, AttrsView(kAlpha)},
    {Op::selu,
     [](double x) { return 1.0507009873554805 * (x > 0 ? x : 1.6732632423543772 * std::expm1(x)); }},
    {Op::leaky_relu, [](double x) { return x < 0 ? 0.25 * x : x; }, AttrsView(kAlpha)},
};

struct BinaryCase {
  Op op;
  std::function<double(double, double)> exact;
};

double modulo(double x, double y) {
  const double remainder = std::fmod(x, y);
  return remainder != 0 && (remainder < 0) != (y < 0) ? remainder + y : remainder;
}
double power(double x, double y) {
  return std::isnan(y) || (std::abs(x) == 1 && std::isinf(y)) ? kNan : std::pow(x, y);
}
double least(double x, double y) { return x != x || y != y ? kNan : std::min(x, y); }
double greatest(double x, double y) { return x != x || y != y ? kNan : std::max(x, y); }

const BinaryCase kBinary[] = {
    {Op::add, [](double x, double y) { return x + y; }},
    {Op::sub, [](double x, double y) { return x - y; }},
    {Op::mul, [](double x, double y) { return x * y; }},
    {Op::div, [](double x, double y) { return x / y; }},
    {Op::div_no_nan, [](double x, double y) { return y == 0 ? 0 : x / y; }},
    {Op::floor_div, [](double x, double y) { return std::floor(x / y); }},
    {Op::mod, modulo},
    {Op::pow, power},
    {Op::maximum, greatest},
    {Op::minimum, least},
    {Op::squared_difference, [](double x, double y) { return (x - y) * (x - y); }},
    {Op::atan2, [](double x, double y) { return std::atan2(x, y); }},
    {Op::prelu, [](double x, double y) { return x < 0 ? x * y : x; }},
};

const BinaryCase kCompare[] = {
    {Op::equal, [](double x, double y) { return x == y; }},
    {Op::not_equal, [](double x, double y) { return x != y; }},
    {Op::less, [](double x, double y) { return x < y; }},
    {Op::less_equal, [](double x, double y) { return x <= y; }},
    {Op::greater, [](double x, double y) { return x > y; }},
    {Op::greater_equal, [](double x, double y) { return x >= y; }},
};

}  // namespace

TEST_CASE("Unary ops give the values of their definition, special ones included", "[elementwise]") {
  const UnaryCase& c = GENERATE(from_range(std::begin(kUnary), std::end(kUnary)));
  const Tensor x = vector_of(kValues);
  const std::vector<float> got = list<float>(run(c.op, {&x}, c.attrs));
  for (std::size_t i = 0; i < kValues.size(); ++i) {
    INFO(op_def(c.op).name << "(" << kValues[i] << ") gave " << got[i]);
    CHECK(close(got[i], c.exact(kValues[i])));
  }
}

TEST_CASE("Binary ops give the values of their definition, special ones included", "[elementwise]") {
  const BinaryCase& c = GENERATE(from_range(std::begin(kBinary), std::end(kBinary)));
  const auto n = static_cast<std::int32_t>(kValues.size());
  const Tensor x = vector_of(kValues).with_shape({n, 1});
  const Tensor y = vector_of(kValues);
  const Tensor out = run(c.op, {&x, &y});
  REQUIRE(out.shape() == Shape{n, n});
  const std::vector<float> got = list<float>(out);
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double a = kValues[i / kValues.size()];
    const double b = kValues[i % kValues.size()];
    INFO(op_def(c.op).name << "(" << a << ", " << b << ") gave " << got[i]);
    CHECK(close(got[i], c.exact(a, b)));
  }
}

TEST_CASE("A power of 2 is the square, special values included", "[elementwise]") {
  const std::vector<float> got = list<float>(pow(vector_of(kValues), Tensor::scalar(2.0F)));
  for (std::size_t i = 0; i < got.size(); ++i) CHECK(close(got[i], power(kValues[i], 2)));
}

TEST_CASE("Comparisons give bools", "[elementwise]") {
  const BinaryCase& c = GENERATE(from_range(std::begin(kCompare), std::end(kCompare)));
  const auto n = static_cast<std::int32_t>(kValues.size());
  const Tensor x = vector_of(kValues).with_shape({n, 1});
  const Tensor y = vector_of(kValues);
  const std::vector<bool> got = list<bool>(run(c.op, {&x, &y}));
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double a = kValues[i / kValues.size()];
    const double b = kValues[i % kValues.size()];
    INFO(op_def(c.op).name << "(" << a << ", " << b << ")");
    CHECK(got[i] == (c.exact(a, b) != 0));
  }
  const Tensor ints = Tensor::from({-1, 0, 2000000001, 2000000000, 5}, {5});
  const Tensor five = Tensor::scalar(2000000000);
  const std::vector<bool> of_ints = list<bool>(run(c.op, {&ints, &five}));
  for (int i = 0; i < 5; ++i)
    CHECK(of_ints[static_cast<std::size_t>(i)] == (c.exact(ints.data<std::int32_t>()[i], 2e9) != 0));
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

TEST_CASE("Tests of floats give bools", "[elementwise]") {
  const Tensor x = vector_of(std::vector<float>{1, kInf, -kInf, kNan, 0});
  CHECK(list<bool>(is_nan(x)) == std::vector<bool>{false, false, false, true, false});
  CHECK(list<bool>(is_inf(x)) == std::vector<bool>{false, true, true, false, false});
  CHECK(list<bool>(is_finite(x)) == std::vector<bool>{true, false, false, false, true});
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

TEST_CASE("Shapes broadcast", "[elementwise]") {
  struct Case {
    Shape a;
    Shape b;
    Shape out;
  };
  const Case c = GENERATE(values<Case>({
      {{}, {}, {}},
      {{5}, {}, {5}},
      {{}, {5}, {5}},
      {{1}, {1, 1}, {1, 1}},
      {{7, 3}, {3}, {7, 3}},
      {{3}, {7, 3}, {7, 3}},
      {{7, 1}, {3}, {7, 3}},
      {{7, 1}, {1, 9}, {7, 9}},
      {{2, 3, 4}, {2, 1, 4}, {2, 3, 4}},
      {{2, 3, 4}, {3, 1}, {2, 3, 4}},
      {{2, 1, 4}, {3, 1}, {2, 3, 4}},
      {{2, 1, 3, 1, 5}, {4, 1, 2, 1}, {2, 4, 3, 2, 5}},
      {{300, 1, 3}, {300, 2, 1}, {300, 2, 3}},
      {{1000, 3}, {1, 3}, {1000, 3}},
      {{0}, {1}, {0}},
      {{2, 0, 3}, {3}, {2, 0, 3}},
      {{0, 1}, {1, 4}, {0, 4}},
  }));
  const auto counting = [](const Shape& shape, float from) {
    std::vector<float> values(shape.elements());
    for (float& value : values) value = from++;
    return Tensor::from(std::span<const float>(values), shape);
  };
  const Tensor a = counting(c.a, 1);
  const Tensor b = counting(c.b, 0.5F);
  const Tensor out = sub(a, b);
  INFO(text(c.a, " - ", c.b));
  REQUIRE(out.shape() == c.out);
  const auto offset = [&](const Shape& shape, std::size_t at) {
    std::size_t result = 0;
    std::size_t step = 1;
    for (int i = 0; i < c.out.rank; ++i) {
      const auto extent = static_cast<std::size_t>(c.out.back(i));
      if (i < shape.rank) {
        if (shape.back(i) != 1) result += at % extent * step;
        step *= static_cast<std::size_t>(shape.back(i));
      }
      at /= extent;
    }
    return result;
  };
  const std::vector<float> got = list<float>(out);
  std::vector<float> expected(got.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    expected[i] = a.data<float>()[offset(c.a, i)] - b.data<float>()[offset(c.b, i)];
  }
  CHECK(got == expected);
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

TEST_CASE("Empty tensors pass through", "[elementwise]") {
  const Tensor none({{0, 3}, DType::kFloat32});
  CHECK(exp(none).shape() == Shape{0, 3});
  CHECK(add(none, none).shape() == Shape{0, 3});
  CHECK(greater(none, none).dtype() == DType::kBool);
}

}  // namespace tenure
