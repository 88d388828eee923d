#include <cmath>

#include "ops/moves.h"

namespace tenure {
namespace {

using moves::numbers;

struct Moments {
  double mean = 0;
  double deviation = 0;
  double least = 0;
  double most = 0;
};

Moments moments_of(const Tensor& tensor) {
  const std::vector<double> values = numbers(tensor);
  Moments m{.least = values[0], .most = values[0]};
  for (const double value : values) {
    m.mean += value / static_cast<double>(values.size());
    m.least = std::min(m.least, value);
    m.most = std::max(m.most, value);
  }
  for (const double value : values) {
    m.deviation += (value - m.mean) * (value - m.mean) / static_cast<double>(values.size());
  }
  m.deviation = std::sqrt(m.deviation);
  return m;
}

TEST_CASE("A seed makes random values reproducible, 0 does not", "[random]") {
  using Draw = Tensor (*)(const RandomAttrs&);
  for (const Draw draw : std::initializer_list<Draw>{random_uniform, random_normal, truncated_normal}) {
    const auto values = [&](std::int32_t seed) { return numbers(draw({.shape = {100}, .seed = seed})); };
    CHECK(values(42) == values(42));
    CHECK(values(42) != values(43));
    CHECK(values(-1) == values(-1));
    CHECK(values(0) != values(0));
  }
}

TEST_CASE("A seed's values stay the same from one version to the next", "[random]") {
  const Tensor first = random_uniform({.shape = {3}, .a = 0, .b = 1000, .seed = 1, .dtype = DType::kInt32});
  CHECK(numbers(first) == std::vector<double>{526, 122, 477});
}

// The expected values are those of TensorFlow.js 4.22 for tf.randomNormal([4], 1, 2, 'float32', 42) and
// similar calls.
TEST_CASE("A seed gives the values that TensorFlow.js draws from it", "[random]") {
  const auto is_close = [](const Tensor& drawn, std::initializer_list<double> expected) {
    const std::vector<double> values = numbers(drawn);
    REQUIRE(values.size() == expected.size());
    for (std::size_t i = 0; i < values.size(); ++i)
      CHECK(values[i] == Catch::Approx(expected.begin()[i]).epsilon(1e-6));
  };
  is_close(random_uniform({.shape = {4}, .a = -1, .b = 3, .seed = 42}),
           {1.73945403, 1.18529785, 2.38237333, -0.20365791});
  is_close(random_normal({.shape = {4}, .a = 1, .b = 2, .seed = 42}),
           {4.81061888, 1.95489311, 1.89089286, 0.224283189});
  is_close(
      truncated_normal({.shape = {8}, .a = 0, .b = 3.5, .seed = -7}),
      {2.69937634, 3.98951435, 5.0536108, 2.44914818, 6.81888676, -5.19354868, -0.109990805, -4.77515507});
}

TEST_CASE("randomUniform fills [a, b)", "[random]") {
  const Moments m = moments_of(random_uniform({.shape = {100, 1000}, .a = -2, .b = 4, .seed = 7}));
  CHECK(m.mean == Catch::Approx(1).margin(0.02));
  CHECK(m.deviation == Catch::Approx(6 / std::sqrt(12)).epsilon(0.01));
  CHECK(m.least >= -2);
  CHECK(m.most < 4);
  const Moments whole =
      moments_of(random_uniform({.shape = {10000}, .a = -3, .b = 3, .seed = 7, .dtype = DType::kInt32}));
  CHECK(whole.least == -3);
  CHECK(whole.most == 2);
  const Moments truth =
      moments_of(random_uniform({.shape = {1000}, .a = 0, .b = 2, .seed = 7, .dtype = DType::kBool}));
  CHECK(truth.mean == Catch::Approx(0.5).margin(0.1));
  // The next float below b is a, the only value left.
  const float next = std::nextafter(1.0F, 2.0F);
  CHECK(moments_of(random_uniform({.shape = {1000}, .a = 1, .b = next, .seed = 7})).most == 1);
}

TEST_CASE("randomNormal has its mean and deviation", "[random]") {
  const Moments m = moments_of(random_normal({.shape = {100000}, .a = 3, .b = 2, .seed = 7}));
  CHECK(m.mean == Catch::Approx(3).margin(0.03));
  CHECK(m.deviation == Catch::Approx(2).epsilon(0.01));
  CHECK(m.most > 3 + 2 * 3.5);
  const Moments whole =
      moments_of(random_normal({.shape = {100000}, .a = 0, .b = 10, .seed = 7, .dtype = DType::kInt32}));
  CHECK(whole.mean == Catch::Approx(0).margin(0.2));
  CHECK(whole.deviation == Catch::Approx(10).epsilon(0.01));
}

TEST_CASE("truncatedNormal stays within two deviations", "[random]") {
  const Moments m = moments_of(truncated_normal({.shape = {100000}, .a = 3, .b = 2, .seed = 7}));
  CHECK(m.least >= 3 - 2 * 2);
  CHECK(m.most <= 3 + 2 * 2);
  CHECK(m.mean == Catch::Approx(3).margin(0.03));
  CHECK(m.deviation == Catch::Approx(2 * 0.8796).epsilon(0.02));
}

TEST_CASE("Random ops take empty shapes and refuse what they cannot make", "[random]") {
  CHECK(random_normal({.shape = {0, 2}}).shape() == Shape{0, 2});
  CHECK(moves::error_of([] { random_normal({.shape = {1}, .dtype = DType::kBool}); }) ==
        "[randomNormal] Unsupported data type bool");
  CHECK_THROWS_AS(random_uniform({.shape = {-1}}), Error);
  const float infinity = std::numeric_limits<float>::infinity();
  CHECK_NOTHROW(
      random_uniform({.shape = {9}, .a = -infinity, .b = infinity, .seed = 1, .dtype = DType::kInt32}));
}

}  // namespace
}  // namespace tenure
