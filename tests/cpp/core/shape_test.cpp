#include "core/shape.h"

#include <limits>

#include "catch.h"
#include "core/error.h"

namespace tenure {
namespace {

constexpr std::int32_t kMaxInt32 = std::numeric_limits<std::int32_t>::max();

TEST_CASE("Dims inserts and erases anywhere", "[shape]") {
  Dims dims = {2, 3};
  dims.insert(0, 1);
  dims.insert(3, 4);
  CHECK(dims == Dims{1, 2, 3, 4});
  dims.erase(1);
  CHECK(dims == Dims{1, 3, 4});
  CHECK(dims.back() == 4);
  CHECK(dims.back(2) == 1);
  CHECK(dims.contains(3));
  CHECK_FALSE(dims.contains(2));
  CHECK(text(dims) == "[1,3,4]");
  CHECK(text(Dims{}) == "[]");
}

TEST_CASE("Dims hold eight numbers and no more", "[shape]") {
  Dims dims = {1, 2, 3, 4, 5, 6, 7, 8};
  CHECK_THROWS_AS(dims.push_back(9), Error);
  CHECK_THROWS_AS(dims.insert(0, 9), Error);
  const std::int32_t nine[9] = {};
  CHECK_THROWS_AS(Dims(std::span(nine)), Error);
}

TEST_CASE("A shape counts elements and steps", "[shape]") {
  const Shape shape = {2, 3, 4};
  CHECK(shape.elements() == 24);
  CHECK(shape.elements(1, 3) == 12);
  CHECK(shape.elements(3, 3) == 1);
  CHECK(shape.strides() == Dims{12, 4, 1});
  CHECK(Shape{}.elements() == 1);
  CHECK(Shape{2, 0, 3}.elements() == 0);
  CHECK(Shape{0, 65536, 65536}.strides().size() == 3);
}

TEST_CASE("validate() refuses what cannot be a tensor", "[shape]") {
  for (const Shape& good : {Shape{}, Shape{0}, Shape{kMaxInt32}, Shape{kMaxInt32, 0, kMaxInt32},
                            Shape{65536, 65536, 0}, Shape{0, 65536, 65536}, Shape{46340, 46340}}) {
    CHECK_NOTHROW(good.validate());
  }
  for (const Shape& bad : {Shape{-1}, Shape{0, -1}, Shape{kMaxInt32, 2}, Shape{65536, 65536, 65536, 65536}}) {
    CHECK_THROWS_AS(bad.validate(), Error);
  }
  Shape hostile;
  for (const std::int32_t rank : {-1, 9, kMaxInt32}) {
    hostile.rank = rank;
    CHECK_THROWS_AS(hostile.validate(), Error);
    CHECK(text(hostile) == text("a list of ", rank));
  }
}

TEST_CASE("Axes are counted from either end", "[shape]") {
  CHECK(normalize_axis(1, 3) == 1);
  CHECK(normalize_axis(-1, 3) == 2);
  CHECK_THROWS_AS(normalize_axis(3, 3), Error);
  CHECK_THROWS_AS(normalize_axis(-4, 3), Error);
  CHECK_THROWS_AS(normalize_axis(0, 0), Error);
  CHECK(normalize_axes({}, 3) == Dims{0, 1, 2});
  CHECK(normalize_axes({-1, 0, 2}, 3) == Dims{0, 2});
  CHECK_THROWS_AS(normalize_axes({0, 5}, 3), Error);
}

TEST_CASE("Shapes broadcast as in NumPy", "[shape]") {
  struct Case {
    Shape a;
    Shape b;
    Shape out;
  };
  const Case cases[] = {{{2, 3}, {2, 3}, {2, 3}},      {{2, 3}, {3}, {2, 3}},    {{2, 1}, {1, 3}, {2, 3}},
                        {{}, {2, 3}, {2, 3}},          {{0, 3}, {1, 3}, {0, 3}}, {{0}, {1}, {0}},
                        {{4, 1, 6}, {5, 1}, {4, 5, 6}}};
  for (const Case& c : cases) {
    CHECK(broadcast(c.a, c.b) == c.out);
    CHECK(broadcast(c.b, c.a) == c.out);
  }
  CHECK_THROWS_WITH(broadcast({2}, {3}), "Operands could not be broadcast together with shapes [2] and [3].");
  CHECK_THROWS_AS(broadcast({0}, {2}), Error);
}

}  // namespace
}  // namespace tenure
