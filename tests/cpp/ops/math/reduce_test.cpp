#include <cmath>
#include <limits>
#include <vector>

#include "catch.h"
#include "ops/ops.h"

namespace tenure {
namespace {

using Catch::Matchers::Message;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
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

}  // namespace

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
