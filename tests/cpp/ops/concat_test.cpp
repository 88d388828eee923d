#include "ops/moves.h"

namespace tenure {
namespace {

using moves::counted;
using moves::error_of;
using moves::numbers;

TEST_CASE("concat joins along any axis", "[concat]") {
  for (const DType dtype : moves::kDTypes) {
    for (int axis = 0; axis < 3; ++axis) {
      Shape shapes[] = {{2, 3, 4}, {2, 3, 4}, {2, 3, 4}};
      shapes[1][axis] = 1;
      shapes[2][axis] = 0;
      const Tensor a = counted(shapes[0], dtype);
      const Tensor b = counted(shapes[1], dtype);
      const Tensor c = counted(shapes[2], dtype);
      Shape joined = shapes[0];
      joined[axis] += 1;
      for (const int named : {axis, axis - 3}) {
        const Tensor out = concat({a, c, b}, {named});
        REQUIRE(out.spec() == TensorSpec{joined, dtype});
        moves::for_each_index(joined, [&](const Dims& index, std::size_t position) {
          Dims from = index;
          const bool in_a = index[axis] < shapes[0][axis];
          if (!in_a) from[axis] -= shapes[0][axis];
          const Tensor& source = in_a ? a : b;
          CHECK(moves::number_at(out, position) ==
                moves::number_at(source, moves::position_of(source.shape(), from)));
        });
      }
    }
  }
}

TEST_CASE("concat of one tensor, and of none with elements", "[concat]") {
  const Tensor x = counted({2, 2});
  CHECK(numbers(concat({x}, {1})) == numbers(x));
  const Tensor empty = counted({0, 2});
  CHECK(concat({empty, empty}).shape() == Shape{0, 2});
  CHECK(concat({empty, empty}, {1}).shape() == Shape{0, 4});
}

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
