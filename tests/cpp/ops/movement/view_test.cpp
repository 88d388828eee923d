#include "ops/moves.h"

namespace tenure {
namespace {

using moves::counted;
using moves::error_of;

TEST_CASE("A view has the bytes of its input", "[view]") {
  for (const DType dtype : moves::kDTypes) {
    const Tensor x = counted({2, 1, 3}, dtype);
    for (const Tensor& view : {identity(x), reshape(x, {{3, 2}}), expand_dims(x, {0}), squeeze(x)}) {
      CHECK(view.storage() == x.storage());
      CHECK(view.dtype() == dtype);
    }
  }
}

TEST_CASE("reshape resolves one -1", "[view]") {
  struct Case {
    Shape from;
    Dims to;
    Shape shape;
  };
  const Case cases[] = {{{2, 3}, {6}, {6}},          {{2, 3}, {-1}, {6}},   {{2, 3}, {3, -1}, {3, 2}},
                        {{}, {1, -1, 1}, {1, 1, 1}}, {{1}, {}, {}},         {{0, 3}, {-1, 3}, {0, 3}},
                        {{0, 3}, {0, 7}, {0, 7}},    {{0}, {5, -1}, {5, 0}}};
  for (const Case& c : cases) CHECK(reshape(counted(c.from), {c.to}).shape() == c.shape);
}

TEST_CASE("reshape says what does not fit", "[view]") {
  const Tensor x = counted({2, 3});
  const auto error = [](const Tensor& from, const Dims& to) {
    return error_of([&] { reshape(from, {to}); });
  };
  CHECK(error(x, {4}) == "[reshape] Size(6) must match the product of shape 4");
  CHECK(error(x, {-1, -1}) == "[reshape] Shapes can only have 1 implicit size. Found -1 at dim 0 and dim 1");
  CHECK(error(x, {-2, 3}) == "[reshape] Shapes can not be < 0. Found -2 at dim 0");
  CHECK(error(x, {4, -1}) == "[reshape] The implicit shape can't be a fractional number. Got 6 / 4");
  CHECK(error(counted({0}), {0, -1}) ==
        "[reshape] Cannot infer the missing size in [0,-1] when there are 0 elements");
  CHECK(error(x, {65536, 65536}).find("more than 2^31 - 1 elements") != std::string::npos);
  Dims hostile;
  hostile.rank = 1000;
  CHECK(error(x, hostile) == "[reshape] expected a rank from 0 to 8, got 1000");
  hostile.rank = -1;
  CHECK(error(x, hostile) == "[reshape] expected a rank from 0 to 8, got -1");
}

TEST_CASE("expandDims puts a dimension in", "[view]") {
  const Tensor x = counted({2, 3});
  CHECK(expand_dims(x, {0}).shape() == Shape{1, 2, 3});
  CHECK(expand_dims(x, {2}).shape() == Shape{2, 3, 1});
  CHECK(expand_dims(x, {-1}).shape() == Shape{2, 3, 1});
  CHECK(expand_dims(x, {-3}).shape() == Shape{1, 2, 3});
  CHECK(error_of([&] { expand_dims(x, {3}); }) == "[expandDims] Axis must be <= rank of the tensor");
  CHECK(error_of([&] { expand_dims(x, {-4}); }) == "[expandDims] Axis must be in the interval [-3, 2]");
  CHECK_THROWS_AS(expand_dims(counted({1, 1, 1, 1, 1, 1, 1, 1})), Error);
}

TEST_CASE("squeeze takes dimensions of 1 out", "[view]") {
  const Tensor x = counted({1, 2, 1});
  CHECK(squeeze(x).shape() == Shape{2});
  CHECK(squeeze(x, {{0}}).shape() == Shape{2, 1});
  CHECK(squeeze(x, {{-1}}).shape() == Shape{1, 2});
  CHECK(squeeze(counted({})).rank() == 0);
  CHECK(squeeze(counted({0, 1})).shape() == Shape{0});
  CHECK(error_of([&] { squeeze(x, {{1}}); }) == "[squeeze] Can't squeeze axis 1 since its dim '2' is not 1");
  CHECK_THROWS_AS(squeeze(x, {{3}}), Error);
}

}  // namespace
}  // namespace tenure
