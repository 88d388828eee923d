#include <limits>

#include "ops/moves.h"

namespace tenure {
namespace {

using moves::counted;
using moves::error_of;

TEST_CASE("pad's value becomes one of the input's type", "[pad]") {
  const Tensor x = counted({0}, DType::kInt32);
  CHECK(moves::numbers(pad(x, {{1}, {0}, -2.7F})) == std::vector<double>{-2});
  CHECK(moves::numbers(pad(x, {{1}, {0}, 1e20F})) == std::vector<double>{2147483647});
}

TEST_CASE("pad refuses what it cannot make", "[pad]") {
  const Tensor x = counted({2, 3});
  const Tensor scalar = counted({});
  CHECK(error_of([&] { pad(x, {{1}, {1}, 0}); }) ==
        "[pad] expected 2 pairs of paddings, one for each dimension, got 1 before and 1 after");
  CHECK(error_of([&] { pad(x, {{1, 0}, {1, -1}, 0}); }) ==
        "[pad] expected paddings of 0 or more, got [0,-1] in dimension 1");
  CHECK(error_of([&] { pad(scalar, {{}, {}, 0}); }) ==
        "[pad] pad(scalar) is not defined. Pass non-scalar to pad");
  constexpr std::int32_t kMaxInt32 = std::numeric_limits<std::int32_t>::max();
  CHECK(error_of([&] { pad(x, {{kMaxInt32, 0}, {kMaxInt32, 0}, 0}); }) ==
        "[pad] the result would have 4294967296 elements along axis 0");
}

TEST_CASE("mirrorPad takes no more than there is to mirror", "[pad]") {
  const Tensor x = counted({2, 3});
  const auto error = [&](const Dims& before, const Dims& after, bool symmetric) {
    return error_of([&] { mirror_pad(x, {before, after, symmetric}); });
  };
  CHECK(error({2, 0}, {0, 0}, false) ==
        "[mirrorPad] Padding in dimension 0 cannot be greater than 1 or less than 0 for input of shape "
        "[2,3], got [2,0]");
  CHECK(error({2, 0}, {0, 0}, true) == "no error");
  CHECK(error({0, 0}, {0, 4}, true) ==
        "[mirrorPad] Padding in dimension 1 cannot be greater than 3 or less than 0 for input of shape "
        "[2,3], got [0,4]");
  CHECK(error({0, -1}, {0, 0}, true).find("less than 0") != std::string::npos);
  CHECK(error({0}, {0}, true).find("expected 2 pairs") != std::string::npos);
  const Tensor empty = counted({0, 2});
  CHECK(mirror_pad(empty, {{0, 1}, {0, 1}, false}).shape() == Shape{0, 4});
  CHECK_THROWS_AS(mirror_pad(empty, {{1, 0}, {0, 0}, true}), Error);
}

}  // namespace
}  // namespace tenure
