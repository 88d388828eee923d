#include "ops/moves.h"

namespace tenure {
namespace {

using moves::counted;
using moves::error_of;
using moves::numbers;

Tensors cut(const Tensor& x, const std::vector<std::int32_t>& sizes, int axis) {
  return split(x, {sizes, axis});
}

TEST_CASE("split cuts along any axis, and concat joins again", "[split]") {
  for (const DType dtype : moves::kDTypes) {
    const Tensor x = counted({4, 6, 2}, dtype);
    for (const int axis : {1, -2}) {
      const Tensors parts = cut(x, {2, 0, 3, 1}, axis);
      REQUIRE(parts.size() == 4);
      CHECK(parts[1].shape() == Shape{4, 0, 2});
      CHECK(parts[2].shape() == Shape{4, 3, 2});
      const Tensor joined = concat({parts[0], parts[1], parts[2], parts[3]}, {1});
      CHECK(numbers(joined) == numbers(x));
    }
  }
}

TEST_CASE("split gives what is left to a size of -1", "[split]") {
  const Tensor x = counted({7});
  const Tensors parts = cut(x, {2, -1, 1}, 0);
  CHECK(numbers(parts[1]) == std::vector<double>{2, 3, 4, 5});
  CHECK(cut(x, {7, -1}, 0)[1].shape() == Shape{0});
}

TEST_CASE("split refuses sizes that do not add up", "[split]") {
  const Tensor x = counted({4, 2});
  const auto error = [&](const std::vector<std::int32_t>& sizes, int axis) {
    return error_of([&] { cut(x, sizes, axis); });
  };
  CHECK(error({1, 2}, 0) == "[split] The sum of sizes must match the size of the axis dimension, 4, got 3");
  CHECK(error({3, -1}, 1) == "[split] The sum of sizes must match the size of the axis dimension, 2, got 3");
  CHECK(error({-1, -1}, 0) == "[split] There should be only one negative value in split array.");
  CHECK(error({-2, 6}, 0) == "[split] expected sizes of 0 or more, got -2");
  CHECK(error({2147483647, 2147483647, 6}, 0).find("must match") != std::string::npos);
  CHECK(error({}, 0) == "[split] expected sizes, got none");
  CHECK(error({4}, 2).find("axis") != std::string::npos);
}

TEST_CASE("split cuts into more parts than a tensor can have dimensions", "[split]") {
  const Tensors parts = cut(counted({3000}), std::vector<std::int32_t>(3000, 1), 0);
  REQUIRE(parts.size() == 3000);
  CHECK(numbers(parts[2999]) == std::vector<double>{2999});
}

TEST_CASE("unstack takes an axis apart", "[split]") {
  for (const DType dtype : moves::kDTypes) {
    const Tensor x = counted({2, 3, 4}, dtype);
    for (const int axis : {0, 1, 2, -1}) {
      const Tensors parts = unstack(x, {axis});
      const int from = axis < 0 ? axis + 3 : axis;
      REQUIRE(parts.size() == static_cast<std::size_t>(x.dim(from)));
      Shape shape = x.shape();
      shape.erase(from);
      for (std::size_t k = 0; k < parts.size(); ++k) {
        moves::check_moved(x, parts[k], shape, [&](const Dims& index) {
          Dims source = index;
          source.insert(from, static_cast<std::int32_t>(k));
          return source;
        });
      }
    }
  }
  const Tensor none = counted({0, 3});
  CHECK(unstack(none).empty());
}

TEST_CASE("unstack refuses an axis that is not there", "[split]") {
  const Tensor x = counted({2, 3});
  const Tensor scalar = counted({});
  CHECK(error_of([&] { unstack(x, {2}); }) == "[unstack] Axis = 2 is not in [-2, 2)");
  CHECK(error_of([&] { unstack(scalar, {0}); }) == "[unstack] Axis = 0 is not in [-0, 0)");
}

}  // namespace
}  // namespace tenure
