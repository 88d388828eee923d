#include "ops/moves.h"

namespace tenure {
namespace {

using moves::counted;
using moves::error_of;
using moves::numbers;

TEST_CASE("concat says what does not fit", "[concat]") {
  const Tensor a = counted({2, 2});
  const Tensor b = counted({3, 2});
  const Tensor row = counted({2});
  const Tensor whole = counted({2, 2}, DType::kInt32);
  const Tensor scalar = counted({});
  CHECK(error_of([&] { concat({a, b}, {1}); }) ==
        "[concat] Error in concat2D: Shape of tensors[1] [3,2] does not match the shape of the rest [2,2] "
        "along the "
        "non-concatenated axis 0.");
  CHECK(error_of([&] { concat({a, row}); }) ==
        "[concat] Error in concat2D: rank of tensors[1] must be the same as the rank of the rest (2)");
  CHECK(error_of([&] { concat({a, whole}); }) ==
        "[concat] expected tensors of one dtype, got float32 and, in tensors[1], int32");
  CHECK_THROWS_AS(concat({a}, {2}), Error);
  CHECK_THROWS_AS(concat({scalar, scalar}), Error);
  CHECK_THROWS_AS(concat(Tensors{}), Error);
  const Tensor tall({{2147483647, 0}, DType::kFloat32});
  CHECK_THROWS_AS(concat({tall, tall}), Error);
}

TEST_CASE("stack puts a new axis anywhere", "[concat]") {
  const Tensor a = Tensor::from({1.0F, 2.0F}, {2});
  const Tensor b = Tensor::from({3.0F, 4.0F}, {2});
  const auto stacked = [&](int axis) { return stack({a, b}, {axis}); };
  CHECK(stacked(0).shape() == Shape{2, 2});
  CHECK(numbers(stacked(0)) == std::vector<double>{1, 2, 3, 4});
  CHECK(numbers(stacked(1)) == std::vector<double>{1, 3, 2, 4});
  CHECK(numbers(stacked(-1)) == std::vector<double>{1, 3, 2, 4});
  CHECK(numbers(stacked(-2)) == std::vector<double>{1, 2, 3, 4});
  const Tensor scalar = Tensor::scalar(7);
  CHECK(stack({scalar, scalar, scalar}).shape() == Shape{3});
}

TEST_CASE("stack refuses an axis or tensors that do not fit", "[concat]") {
  const Tensor a = counted({2});
  const Tensor b = counted({3});
  const Tensor c = counted({2}, DType::kBool);
  CHECK(error_of([&] { stack({a, b}); }) ==
        "[stack] All tensors passed to stack must have matching shapes, got [2] and [3]");
  CHECK(error_of([&] { stack({a, c}); }) ==
        "[stack] All tensors passed to stack must have matching dtypes, got float32 and bool");
  CHECK(error_of([&] { stack({a, a}, {2}); }) ==
        "[stack] Axis must be <= rank of the tensor, got 2 for rank 1");
  CHECK_THROWS_AS(stack({a, a}, {-3}), Error);
}

}  // namespace
}  // namespace tenure
