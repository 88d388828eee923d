#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "catch.h"
#include "ops/ops.h"

namespace tenure {
namespace {

using Catch::Matchers::Message;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();
using Ints = std::vector<std::int32_t>;
using Floats = std::vector<float>;

template <class T>
std::vector<T> list(const Tensor& x) {
  REQUIRE(x.dtype() == DTypeOf<T>::value);
  const auto values = x.values<T>();
  return {values.begin(), values.end()};
}

Tensor bools(std::initializer_list<std::uint8_t> values, const Shape& shape) {
  return Tensor::from(values, shape);
}

/// Values of both signs near 1, without a pattern that a wrong stride could hit.
Tensor scattered(const Shape& shape) {
  std::vector<float> values(shape.elements());
  std::uint32_t state = 12345;
  for (float& value : values) {
    state = state * 1664525 + 1013904223;
    value = (state & 256 ? 1.0F : -1.0F) * (0.75F + static_cast<float>(state >> 9) / 16777216.0F);
  }
  return Tensor::from(std::span<const float>(values), shape);
}

double identity_of(Op op) { return op == Op::prod ? 1 : op == Op::max ? -kInf : op == Op::min ? kInf : 0; }

double combined(Op op, double a, double b) {
  switch (op) {
    case Op::prod: return a * b;
    case Op::max: return std::max(a, b);
    case Op::min: return std::min(a, b);
    default: return a + b;
  }
}

/// One element at a time, in double.
std::vector<double> reference(Op op, const Tensor& x, const Dims& axes, std::size_t outputs) {
  std::vector<double> result(outputs, identity_of(op));
  const Dims sorted = normalize_axes(axes, x.rank());
  for (std::size_t i = 0; i < x.elements(); ++i) {
    std::size_t rest = i;
    std::size_t at = 0;
    std::size_t step = 1;
    for (int d = x.rank() - 1; d >= 0; --d) {
      const auto extent = static_cast<std::size_t>(x.dim(d));
      if (!sorted.contains(d)) {
        at += rest % extent * step;
        step *= extent;
      }
      rest /= extent;
    }
    result[at] = combined(op, result[at], x.data<float>()[i]);
  }
  const double count = static_cast<double>(x.elements()) / static_cast<double>(outputs);
  if (op == Op::mean) {
    for (double& value : result) value /= count;
  }
  return result;
}

struct Case {
  Shape shape;
  Dims axes;
  Shape out;
  Shape kept;
};

const Case kCases[] = {
    {{}, {}, {}, {}},
    {{1}, {0}, {}, {1}},
    {{7}, {}, {}, {1}},
    {{100}, {-1}, {}, {1}},
    {{1031}, {}, {}, {1}},
    {{3, 5}, {0}, {5}, {1, 5}},
    {{3, 5}, {1}, {3}, {3, 1}},
    {{3, 5}, {}, {}, {1, 1}},
    {{40, 3}, {0}, {3}, {1, 3}},
    {{67, 33}, {0}, {33}, {1, 33}},
    {{2, 9, 3}, {1}, {2, 3}, {2, 1, 3}},
    {{2, 9, 3}, {0, 2}, {9}, {1, 9, 1}},
    {{2, 9, 3}, {2, 0, 2}, {9}, {1, 9, 1}},
    {{4, 6, 5, 3}, {0, 1, 2}, {3}, {1, 1, 1, 3}},
    {{4, 6, 5, 3}, {1, 2}, {4, 3}, {4, 1, 1, 3}},
    {{4, 6, 5, 3}, {0, 2}, {6, 3}, {1, 6, 1, 3}},
    {{4, 6, 5, 3}, {1, 3}, {4, 5}, {4, 1, 5, 1}},
    {{4, 1, 5, 1}, {1, 3}, {4, 5}, {4, 1, 5, 1}},
    {{2, 3, 2, 3, 2, 3}, {0, 2, 4}, {3, 3, 3}, {1, 3, 1, 3, 1, 3}},
    {{2, 3, 2, 3, 2, 3}, {1, 3, 5}, {2, 2, 2}, {2, 1, 2, 1, 2, 1}},
    {{3, 2100}, {0}, {2100}, {1, 2100}},
    {{0}, {}, {}, {1}},
    {{0, 3}, {0}, {3}, {1, 3}},
    {{0, 3}, {1}, {0}, {0, 1}},
    {{2, 0, 3}, {0, 2}, {0}, {1, 0, 1}},
    {{2, 0, 3, 0}, {1, 3}, {2, 3}, {2, 1, 3, 1}},
};

}  // namespace

TEST_CASE("Reductions agree with one element at a time", "[reduce]") {
  const Op op = GENERATE(Op::sum, Op::prod, Op::max, Op::min, Op::mean);
  const Case& c = GENERATE(from_range(std::begin(kCases), std::end(kCases)));
  const Tensor x = scattered(c.shape);
  INFO(text(op_def(op).name, " of ", c.shape, " over ", c.axes));
  const Tensor out = run(op, {&x}, AttrsView(ReduceAttrs{c.axes, false}));
  REQUIRE(out.shape() == c.out);
  CHECK(run(op, {&x}, AttrsView(ReduceAttrs{c.axes, true})).shape() == c.kept);

  const Floats got = list<float>(out);
  const std::vector<double> expected = reference(op, x, c.axes, got.size());
  const double scale = op == Op::sum ? static_cast<double>(x.elements()) : 1;
  for (std::size_t i = 0; i < got.size(); ++i) {
    INFO("at " << i << " got " << got[i] << ", expected " << expected[i]);
    const bool close = std::abs(got[i] - expected[i]) <= 2e-7 * (scale + std::abs(expected[i]));
    CHECK((close || got[i] == static_cast<float>(expected[i]) ||
           (std::isnan(got[i]) && std::isnan(expected[i]))));
  }
}

TEST_CASE("Reductions of int32 and bool", "[reduce]") {
  constexpr int kMax = std::numeric_limits<int>::max();
  constexpr int kMin = std::numeric_limits<int>::min();
  const Tensor i = Tensor::from({kMax, 2, -3, 1, 5, kMin}, {2, 3});
  CHECK(list<std::int32_t>(sum(i, {.axes = {0}})) == Ints{kMin, 7, kMax - 2});
  CHECK(list<std::int32_t>(sum(i, {.axes = {1}})) == Ints{kMax - 1, kMin + 6});
  CHECK(list<std::int32_t>(prod(i, {.axes = {0}})) == Ints{kMax, 10, kMin});
  CHECK(list<std::int32_t>(max(i)) == Ints{kMax});
  CHECK(list<std::int32_t>(min(i, {.axes = {1}})) == Ints{-3, kMin});
  const Tensor small = Tensor::from({1, 2, 4, 8}, {4});
  CHECK(list<float>(mean(small)) == Floats{3.75F});

  const Tensor b = bools({1, 0, 1, 1, 1, 0}, {2, 3});
  CHECK(list<std::int32_t>(sum(b, {.axes = {0}})) == Ints{2, 1, 1});
  CHECK(list<std::int32_t>(sum(b)) == Ints{4});
  CHECK(list<std::int32_t>(prod(b, {.axes = {0}})) == Ints{1, 0, 0});
  CHECK(list<float>(mean(b, {.axes = {1}})) == Floats{2.0F / 3, 2.0F / 3});
  CHECK(list<bool>(max(b, {.axes = {0}})) == std::vector<bool>{true, true, true});
  CHECK(list<bool>(min(b, {.axes = {0}})) == std::vector<bool>{true, false, false});
  CHECK(list<bool>(any(b, {.axes = {0}})) == std::vector<bool>{true, true, true});
  CHECK(list<bool>(all(b, {.axes = {0}})) == std::vector<bool>{true, false, false});
  CHECK(list<bool>(any(b)) == std::vector<bool>{true});
  CHECK(list<bool>(all(b)) == std::vector<bool>{false});

  const Tensor no_ints({{0}, DType::kInt32});
  CHECK(list<std::int32_t>(sum(no_ints)) == Ints{0});
  CHECK(list<std::int32_t>(max(no_ints)) == Ints{kMin});
  const Tensor no_bools({{0}, DType::kBool});
  CHECK(list<bool>(any(no_bools)) == std::vector<bool>{false});
  CHECK(list<bool>(all(no_bools)) == std::vector<bool>{true});
}

TEST_CASE("Long bools count exactly", "[reduce]") {
  const std::vector<std::uint8_t> ones(1237, 1);
  const Tensor x = Tensor::from(std::span<const std::uint8_t>(ones), {1237});
  CHECK(list<std::int32_t>(sum(x)) == Ints{1237});
  CHECK(list<bool>(all(x)) == std::vector<bool>{true});
}

TEST_CASE("A NaN anywhere is the result of sum, max and min", "[reduce]") {
  const std::size_t at = GENERATE(0, 1, 31, 32, 64, 98, 99);
  std::vector<float> values(100, 1);
  values[at] = kNan;
  const Tensor x = Tensor::from(std::span<const float>(values), {100});
  CHECK(std::isnan(sum(x).data<float>()[0]));
  CHECK(std::isnan(max(x).data<float>()[0]));
  CHECK(std::isnan(min(x).data<float>()[0]));
  const Tensor tall = x.with_shape({50, 2});
  CHECK(std::isnan(max(tall, {.axes = {0}}).data<float>()[at % 2]));
  CHECK(max(tall, {.axes = {0}}).data<float>()[1 - at % 2] == 1);
}

TEST_CASE("A sum of ten million values keeps its digits", "[reduce]") {
  const bool tall = GENERATE(false, true);
  const std::vector<float> values(10000000, 0.1F);
  const Tensor x = Tensor::from(std::span<const float>(values), tall ? Shape{5000000, 2} : Shape{10000000});
  const double exact = static_cast<double>(0.1F) * (tall ? 5e6 : 1e7);
  const ReduceAttrs first{.axes = {0}};
  CHECK(std::abs(sum(x, first).data<float>()[0] - exact) <= 1e-7 * exact);
  CHECK(std::abs(mean(x, first).data<float>()[0] - 0.1F) <= 1e-8F);
}

TEST_CASE("A product may leave float's range and come back", "[reduce]") {
  const Tensor x = Tensor::from({1e30F, 1e30F, 1e-30F, 1e-30F}, {4});
  CHECK(list<float>(prod(x))[0] == Catch::Approx(1));
}

TEST_CASE("Reductions reject axes and types that they cannot take", "[reduce]") {
  const Tensor x({{2, 3}, DType::kFloat32});
  const Tensor words({{0}, DType::kString});
  CHECK_THROWS_MATCHES(sum(x, {.axes = {2}}), Error,
                       Message("[sum] axis 2 is out of range for a tensor of rank 2"));
  CHECK_THROWS_MATCHES(max(x, {.axes = {-3}}), Error,
                       Message("[max] axis -3 is out of range for a tensor of rank 2"));
  CHECK_THROWS_MATCHES(
      mean(words), Error,
      Message("[mean] Argument 'x' passed to 'mean' must be numeric tensor, but got string tensor"));
  CHECK_THROWS_MATCHES(
      any(x), Error,
      Message("[any] Argument 'x' passed to 'any' must be bool tensor, but got float32 tensor"));
  CHECK_THROWS_MATCHES(
      all(x), Error,
      Message("[all] Argument 'x' passed to 'all' must be bool tensor, but got float32 tensor"));
}

}  // namespace tenure
