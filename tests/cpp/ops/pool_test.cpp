#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "catch.h"
#include "ops/ops.h"

namespace tenure {
namespace {

using Catch::Matchers::Message;

struct Case {
  Shape shape;
  PoolAttrs attrs;
  std::int32_t out_h;
  std::int32_t out_w;
  std::int32_t pad_top = 0;
  std::int32_t pad_left = 0;
};

constexpr auto kSame = Padding::kSame;
constexpr auto kExplicit = Padding::kExplicit;

const Case kCases[] = {
    {{1, 1, 1, 1}, {}, 1, 1},
    {{1, 4, 4, 1}, {.window_h = 2, .window_w = 2, .stride_h = 2, .stride_w = 2}, 2, 2},
    {{2, 5, 7, 3}, {.window_h = 3, .window_w = 2, .stride_h = 2, .stride_w = 1}, 2, 6},
    {{2, 5, 7, 4},
     {.window_h = 3, .window_w = 3, .stride_h = 2, .stride_w = 2, .padding = kSame},
     3,
     4,
     1,
     1},
    {{1, 6, 6, 5},
     {.window_h = 3, .window_w = 3, .stride_h = 2, .stride_w = 2, .padding = kSame},
     3,
     3,
     0,
     0},
    {{1, 5, 5, 9},
     {.window_h = 2, .window_w = 2, .dilation_h = 2, .dilation_w = 3, .padding = kSame},
     5,
     5,
     1,
     1},
    {{1, 3, 4, 2},
     {.window_h = 2, .window_w = 3, .padding = kExplicit, .pad_top = 1, .pad_left = 2, .pad_right = 1},
     3,
     5,
     1,
     2},
    {{1, 6, 6, 1},
     {.window_h = 2,
      .window_w = 2,
      .stride_h = 3,
      .stride_w = 3,
      .padding = kExplicit,
      .rounding = Rounding::kCeil},
     3,
     3},
    {{1, 3, 3, 8}, {.window_h = 7, .window_w = 7, .padding = kSame}, 3, 3, 3, 3},
    {{0, 4, 4, 2}, {.window_h = 2, .window_w = 2}, 3, 3},
    {{2, 4, 4, 0}, {.window_h = 2, .window_w = 2}, 3, 3},
};

std::vector<double> reference(const Case& c, const Tensor& x, bool largest) {
  const PoolAttrs& a = c.attrs;
  std::vector<double> result;
  for (int n = 0; n < x.dim(0); ++n)
    for (int y = 0; y < c.out_h; ++y)
      for (int z = 0; z < c.out_w; ++z)
        for (int ch = 0; ch < x.dim(3); ++ch) {
          double most = -std::numeric_limits<double>::infinity();
          double total = 0;
          int cells = 0;
          for (int i = 0; i < a.window_h; ++i)
            for (int j = 0; j < a.window_w; ++j) {
              const int row = y * a.stride_h - c.pad_top + i * a.dilation_h;
              const int column = z * a.stride_w - c.pad_left + j * a.dilation_w;
              if (row < 0 || row >= x.dim(1) || column < 0 || column >= x.dim(2)) continue;
              const double value =
                  x.data<float>()[((n * x.dim(1) + row) * x.dim(2) + column) * x.dim(3) + ch];
              most = std::max(most, value);
              total += value;
              ++cells;
            }
          result.push_back(largest ? most : total / cells);
        }
  return result;
}

}  // namespace

TEST_CASE("Pools agree with one cell at a time", "[pool]") {
  const bool largest = GENERATE(true, false);
  const Case& c = GENERATE(from_range(std::begin(kCases), std::end(kCases)));
  std::vector<float> values(c.shape.elements());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = 10 * std::sin(static_cast<float>(i * i + 3));
  const Tensor x = Tensor::from(std::span<const float>(values), c.shape);
  const Tensor out = largest ? max_pool(x, c.attrs) : avg_pool(x, c.attrs);
  INFO(text(largest ? "max" : "average", " of ", c.shape, " in windows of ", c.attrs.window_h, "x",
            c.attrs.window_w));
  REQUIRE(out.shape() == Shape{c.shape[0], c.out_h, c.out_w, c.shape[3]});
  const std::vector<double> expected = reference(c, x, largest);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double got = out.data<float>()[i];
    INFO("at " << i << " got " << got << ", expected " << expected[i]);
    CHECK((std::abs(got - expected[i]) <= 1e-5 || got == expected[i] ||
           (std::isnan(got) && std::isnan(expected[i]))));
  }
}

TEST_CASE("maxPool keeps int32", "[pool]") {
  const Tensor x = Tensor::from({-5, 2, 2000000001, 2000000000, -7, -8, -9, -6}, {1, 2, 4, 1});
  const Tensor out = max_pool(x, {.window_h = 2, .window_w = 2, .stride_h = 2, .stride_w = 2});
  REQUIRE(out.dtype() == DType::kInt32);
  CHECK(out.data<std::int32_t>()[0] == 2);
  CHECK(out.data<std::int32_t>()[1] == 2000000001);
}

TEST_CASE("maxPool passes over a NaN, avgPool does not", "[pool]") {
  const Tensor x = Tensor::from({1.0F, std::nanf(""), 3.0F, 2.0F}, {1, 2, 2, 1});
  const PoolAttrs whole{.window_h = 2, .window_w = 2};
  CHECK(max_pool(x, whole).data<float>()[0] == 3);
  CHECK(std::isnan(avg_pool(x, whole).data<float>()[0]));
}

TEST_CASE("Pools reject what they cannot slide over", "[pool]") {
  const Tensor flat({{4, 4}, DType::kFloat32});
  const Tensor x({{1, 4, 4, 1}, DType::kFloat32});
  const Tensor ints({{1, 4, 4, 1}, DType::kInt32});
  const Tensor bools({{1, 4, 4, 1}, DType::kBool});
  CHECK_THROWS_MATCHES(max_pool(flat), Error,
                       Message("[maxPool] x must be rank 4 but got rank 2, shape [4,4]"));
  CHECK_THROWS_MATCHES(
      max_pool(bools), Error,
      Message(
          "[maxPool] Argument 'x' passed to 'maxPool' must be float32 or int32 tensor, but got bool tensor"));
  CHECK_THROWS_MATCHES(
      avg_pool(ints), Error,
      Message("[avgPool] Argument 'x' passed to 'avgPool' must be float32 tensor, but got int32 tensor"));
  CHECK_THROWS_MATCHES(
      max_pool(x, {.stride_h = 2, .dilation_w = 2}), Error,
      Message("[maxPool] Error in maxPool: Either strides or dilations must be 1. Got strides 2,1 and "
              "dilations '1,2'"));
  CHECK_THROWS_AS(max_pool(x, {.window_h = 6}), Error);
  CHECK_THROWS_AS(avg_pool(x, {.window_h = 0}), Error);
  CHECK_THROWS_AS(avg_pool(x, {.stride_w = 0}), Error);
}

}  // namespace tenure
