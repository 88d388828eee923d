#include <cmath>

#include "ops/autodiff/backward.h"
#include "ops/moves.h"

namespace tenure {
namespace {

using moves::error_of;
using moves::numbers;

TEST_CASE("fill repeats one value", "[create]") {
  for (const std::int32_t length : {1, 3, 17, 5000}) {
    const std::vector<double> ones(static_cast<std::size_t>(length), 1);
    CHECK(numbers(fill({.shape = {length}, .value = 1})) == ones);
    CHECK(numbers(fill({.shape = {length, 1}, .int_value = 1, .dtype = DType::kInt32})) == ones);
    CHECK(numbers(fill({.shape = {1, length}, .int_value = 1, .dtype = DType::kBool})) == ones);
  }
  CHECK(numbers(fill({.shape = {2}, .value = 0.5F, .dtype = DType::kBool})) == std::vector<double>{1, 1});
  CHECK(numbers(fill({.shape = {1}, .int_value = 2147483647, .dtype = DType::kInt32}))[0] == 2147483647);
  CHECK(fill({.shape = {0, 3}, .value = 1}).elements() == 0);
  CHECK(numbers(fill({.shape = {}, .value = 2})) == std::vector<double>{2});
}

TEST_CASE("fill refuses impossible shapes", "[create]") {
  const auto error = [](const Dims& shape) { return error_of([&] { fill({.shape = shape}); }); };
  CHECK(error({2, -1}) == "[fill] a shape's extents must not be negative, got [2,-1]");
  CHECK(error({65536, 65536}) ==
        "[fill] a tensor of shape [65536,65536] would have more than 2^31 - 1 elements");
  Dims hostile;
  hostile.rank = 9;
  CHECK(error(hostile) == "[fill] expected a rank from 0 to 8, got 9");
  CHECK(error_of([] { fill({.shape = {1}, .dtype = static_cast<DType>(-1)}); }) == "[fill] unknown dtype -1");
}

TEST_CASE("range steps from its start", "[create]") {
  CHECK(numbers(range({.start = 0, .step = 1, .count = 3})) == std::vector<double>{0, 1, 2});
  CHECK(numbers(range({.start = 3, .step = -2, .count = 3, .dtype = DType::kInt32})) ==
        std::vector<double>{3, 1, -1});
  CHECK(range({.count = 0}).shape() == Shape{0});
  const Tensor tenths = range({.start = 0, .step = 0.1F, .count = 1000});
  CHECK(tenths.values<float>()[999] == Catch::Approx(99.9));
  CHECK(error_of([] { range({.count = -1}); }) == "[range] expected a count of values, got -1");
  CHECK(error_of([] { range({.count = 1, .dtype = DType::kBool}); }) ==
        "[range] expected a dtype of int32 or float32, got bool");
}

TEST_CASE("linspace reaches both ends", "[create]") {
  CHECK(numbers(linspace({.start = 1, .stop = 10, .count = 4})) == std::vector<double>{1, 4, 7, 10});
  CHECK(numbers(linspace({.start = 5, .stop = -5, .count = 3})) == std::vector<double>{5, 0, -5});
  CHECK(numbers(linspace({.start = 3, .stop = 10, .count = 1})) == std::vector<double>{3});
  const Tensor tenths = linspace({.start = 0.1F, .stop = 0.3F, .count = 7});
  CHECK(tenths.values<float>().back() == 0.3F);
  CHECK(error_of([] { linspace({.count = 0}); }) == "[linspace] The number of values should be positive.");
}

TEST_CASE("eye has ones on its diagonal", "[create]") {
  for (const DType dtype : moves::kDTypes) {
    CHECK(numbers(eye({2, 3, dtype})) == std::vector<double>{1, 0, 0, 0, 1, 0});
    CHECK(numbers(eye({3, 2, dtype})) == std::vector<double>{1, 0, 0, 1, 0, 0});
    CHECK(eye({0, 2, dtype}).shape() == Shape{0, 2});
  }
  CHECK_THROWS_AS(eye({-1, 2, DType::kFloat32}), Error);
}

TEST_CASE("diag has its input on the diagonal of twice the rank", "[create]") {
  CHECK(numbers(diag(Tensor::from({1, 2, 3}, {3}))) == std::vector<double>{1, 0, 0, 0, 2, 0, 0, 0, 3});
  const Tensor square = diag(Tensor::from({1.0F, 2.0F, NAN, 4.0F}, {2, 2}));
  CHECK(square.shape() == Shape{2, 2, 2, 2});
  for (int i = 0; i < 16; ++i) {
    const int place = i / 5;
    if (i != 10) CHECK(square.data<float>()[i] == (i % 5 == 0 ? static_cast<float>(1 + place) : 0.0F));
  }
  CHECK(std::isnan(square.data<float>()[10]));
  CHECK(diag(Tensor({{0}, DType::kFloat32})).shape() == Shape{0, 0});
  CHECK(error_of([] { diag(fill({.shape = {1, 1, 1, 1, 1}})); }) ==
        "[diag] expected at most 4 dimensions, got [1,1,1,1,1]");
  const Tensor weights = Tensor::from({1.0F, 2.0F, 3.0F, 4.0F}, {2, 2});
  const auto weighted = [&](const Tensors& x) { return mul(diag(x[0]), weights); };
  CHECK(numbers(value_and_gradients(weighted, {Tensor::from({5.0F, 6.0F}, {2})}).gradients[0]) ==
        std::vector<double>{1, 4});
}

TEST_CASE("oneHot leaves rows off where the index is out of range", "[create]") {
  const Tensor indices = Tensor::from({1, -1, 3, 0}, {2, 2});
  const Tensor floats =
      one_hot(indices, {.depth = 3, .on_value = 5, .off_value = 2, .dtype = DType::kFloat32});
  CHECK(floats.shape() == Shape{2, 2, 3});
  CHECK(numbers(floats) == std::vector<double>{2, 5, 2, 2, 2, 2, 2, 2, 2, 5, 2, 2});
  const Tensor ints = one_hot(indices, {.depth = 2});
  CHECK(ints.dtype() == DType::kInt32);
  CHECK(numbers(ints) == std::vector<double>{0, 1, 0, 0, 0, 0, 1, 0});
  CHECK(numbers(one_hot(indices, {.depth = 2, .dtype = DType::kBool})) == numbers(ints));
  const Tensor none({{0}, DType::kInt32});
  CHECK(one_hot(none, {.depth = 4}).shape() == Shape{0, 4});
  CHECK(error_of([&] { one_hot(indices, {.depth = 1}); }) ==
        "[oneHot] Error in oneHot: depth must be >=2, but it is 1");
  CHECK(error_of([&] { one_hot(floats, {.depth = 2}); }) ==
        "[oneHot] Argument 'indices' passed to 'oneHot' must be int32 tensor, but got float32 tensor");
}

}  // namespace
}  // namespace tenure
