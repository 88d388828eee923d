#include <limits>
#include <vector>

#include "catch.h"
#include "ops/ops.h"

namespace tenure {
namespace {

using Catch::Matchers::Message;
using Ints = std::vector<std::int32_t>;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

Ints list(const Tensor& x) {
  REQUIRE(x.dtype() == DType::kInt32);
  const auto values = x.values<std::int32_t>();
  return {values.begin(), values.end()};
}

}  // namespace

TEST_CASE("argMax passes over a NaN unless it comes first", "[reduce]") {
  std::vector<float> values(50, 0);
  values[3] = kNan;
  values[40] = 7;
  const Tensor x = Tensor::from(std::span<const float>(values), {50});
  CHECK(list(arg_max(x)) == Ints{40});
  values[0] = kNan;
  const Tensor led = Tensor::from(std::span<const float>(values), {50});
  CHECK(list(arg_max(led)) == Ints{0});
  const Tensor table = Tensor::from({1.0F, kNan, kNan, 2.0F, 3.0F, 4.0F}, {3, 2});
  CHECK(list(arg_max(table)) == Ints{2, 0});
}

TEST_CASE("argMax gives the first of the best in rows of any length", "[reduce]") {
  const int length = GENERATE(1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 19, 20, 23, 32, 33, 63, 64, 65, 127, 1000);
  constexpr int kRows = 7;
  const auto size = static_cast<std::size_t>(length);
  std::vector<float> floats(kRows * size);
  for (std::size_t i = 0; i < floats.size(); ++i) {
    // Few distinct values, so that most occur more than once.
    floats[i] = static_cast<float>(i * 2654435761U % 97 % 5) - 2;
    if (i % 11 == 5) floats[i] = kNan;
  }
  const Tensor x = Tensor::from(std::span<const float>(floats), {kRows, length});
  Ints greatest;
  Ints least;
  for (std::size_t r = 0; r < kRows; ++r) {
    const float* row = floats.data() + r * size;
    std::size_t high = 0;
    std::size_t low = 0;
    for (std::size_t i = 1; i < size; ++i) {
      if (row[i] > row[high]) high = i;
      if (row[i] < row[low]) low = i;
    }
    greatest.push_back(static_cast<std::int32_t>(high));
    least.push_back(static_cast<std::int32_t>(low));
  }
  CHECK(list(arg_max(x, {.axis = 1})) == greatest);
  CHECK(list(arg_min(x, {.axis = 1})) == least);
}

TEST_CASE("argMax of int32, of bool and of nothing", "[reduce]") {
  const Tensor i = Tensor::from({3, -5, 3, 2000000000, 2000000001, -5}, {6});
  CHECK(list(arg_max(i)) == Ints{4});
  CHECK(list(arg_min(i)) == Ints{1});
  const Tensor b = Tensor::from<std::uint8_t>({0, 0, 1, 1, 0}, {5});
  CHECK(list(arg_max(b)) == Ints{2});
  CHECK(list(arg_min(b)) == Ints{0});
  const Tensor none({{2, 0, 3}, DType::kFloat32});
  CHECK(list(arg_max(none, {.axis = 1})) == Ints{0, 0, 0, 0, 0, 0});
  CHECK(arg_max(none, {.axis = 0}).shape() == Shape{0, 3});
}

TEST_CASE("argMax rejects axes that the tensor lacks", "[reduce]") {
  const Tensor x = Tensor::scalar(1.0F);
  CHECK_THROWS_MATCHES(arg_max(x), Error, Message("[argMax] axis 0 is out of range for a tensor of rank 0"));
}

}  // namespace tenure
