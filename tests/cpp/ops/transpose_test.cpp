#include "ops/moves.h"

namespace tenure {
namespace {

using moves::counted;
using moves::error_of;

void check_transposed(const Shape& shape, const Dims& perm) {
  CAPTURE(text(shape), text(perm));
  Shape moved;
  for (const int axis : perm) moved.push_back(shape[axis]);
  for (const DType dtype : moves::kDTypes) {
    const Tensor x = counted(shape, dtype);
    moves::check_moved(x, transpose(x, {perm}), moved, [&](const Dims& index) {
      Dims from = index;
      for (int i = 0; i < perm.size(); ++i) from[perm[i]] = index[i];
      return from;
    });
  }
}

TEST_CASE("transpose moves every element, in all orders of four axes", "[transpose]") {
  int perm[] = {0, 1, 2, 3};
  do {
    check_transposed({3, 5, 2, 4}, Dims(perm));
    check_transposed({2, 1, 9, 6}, Dims(perm));
  } while (std::next_permutation(std::begin(perm), std::end(perm)));
}

TEST_CASE("transpose of matrices of all sizes around its blocks", "[transpose]") {
  for (const std::int32_t rows : {1, 3, 4, 5, 16, 17, 33}) {
    for (const std::int32_t columns : {1, 2, 4, 7, 15, 32, 35}) check_transposed({rows, columns}, {1, 0});
  }
}

TEST_CASE("transpose without an order reverses the axes", "[transpose]") {
  const Tensor x = counted({2, 3, 4});
  CHECK(transpose(x).shape() == Shape{4, 3, 2});
  CHECK(moves::numbers(transpose(x)) == moves::numbers(transpose(x, {{2, 1, 0}})));
  const Tensor scalar = counted({});
  CHECK(transpose(scalar).rank() == 0);
  const Tensor empty = counted({2, 0, 3});
  CHECK(transpose(empty).shape() == Shape{3, 0, 2});
}

TEST_CASE("transpose refuses what is no order of the axes", "[transpose]") {
  const Tensor x = counted({2, 3});
  CHECK(error_of([&] { transpose(x, {{0}}); }) ==
        "[transpose] Error in transpose: rank of input 2 must match length of perm [0].");
  CHECK(error_of([&] { transpose(x, {{0, 2}}); }) ==
        "[transpose] All entries in 'perm' must be between 0 and 1 but got [0,2]");
  CHECK(error_of([&] { transpose(x, {{1, 1}}); }) == "[transpose] perm must name each axis once, got [1,1]");
  Dims hostile;
  hostile.rank = -5;
  CHECK_THROWS_AS(transpose(x, {hostile}), Error);
}

}  // namespace
}  // namespace tenure
