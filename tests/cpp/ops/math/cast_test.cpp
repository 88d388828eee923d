#include <limits>

#include "ops/moves.h"

namespace tenure {
namespace {

using moves::numbers;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr std::int32_t kMinInt32 = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t kMaxInt32 = std::numeric_limits<std::int32_t>::max();

TEST_CASE("cast from float32 truncates, saturates and tests", "[cast]") {
  const Tensor x = Tensor::from({0.0F, -0.0F, 0.9F, -0.9F, 1.5F, -1.5F, kNan, kInfinity, -kInfinity, 3e9F,
                                 -3e9F, 2147483520.0F, -2147483648.0F},
                                {13});
  const std::vector<double> whole = {
      0, 0, 0, 0, 1, -1, 0, kMaxInt32, kMinInt32, kMaxInt32, kMinInt32, 2147483520.0, kMinInt32};
  CHECK(numbers(cast(x, {DType::kInt32})) == whole);
  const std::vector<double> truth = {0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  CHECK(numbers(cast(x, {DType::kBool})) == truth);
}

TEST_CASE("cast from int32 and bool", "[cast]") {
  const Tensor x = Tensor::from({0, 1, -7, kMaxInt32, kMinInt32}, {5});
  CHECK(numbers(cast(x, {DType::kFloat32})) == std::vector<double>{0, 1, -7, 2147483648.0, kMinInt32});
  CHECK(numbers(cast(x, {DType::kBool})) == std::vector<double>{0, 1, 1, 1, 1});
  const Tensor b = Tensor::from({true, false, true, false, true, true}, {2, 3});
  CHECK(numbers(cast(b, {DType::kFloat32})) == std::vector<double>{1, 0, 1, 0, 1, 1});
  CHECK(numbers(cast(b, {DType::kInt32})) == std::vector<double>{1, 0, 1, 0, 1, 1});
}

TEST_CASE("cast refuses types without kernels", "[cast]") {
  const Tensor x = Tensor::scalar(1.0F);
  CHECK(moves::error_of([&] { cast(x, {DType::kString}); }) == "[cast] has no kernel for string");
  CHECK(moves::error_of([&] { cast(x, {static_cast<DType>(77)}); }) == "[cast] unknown dtype 77");
}

}  // namespace
}  // namespace tenure
