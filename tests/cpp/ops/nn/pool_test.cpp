#include <cmath>
#include <limits>

#include "catch.h"
#include "ops/ops.h"
#include "ops/reference.h"
#include "shape_util/window.h"

namespace tenure {
using Catch::Matchers::Message;

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

TEST_CASE("Pools of any channels agree with plain loops", "[pool]") {
  const int channels = GENERATE(1, 3, 4, 7, 15, 16, 33);
  const PoolAttrs attrs = GENERATE(
      PoolAttrs{.window_h = 2, .window_w = 2, .stride_h = 2, .stride_w = 2},
      PoolAttrs{.window_h = 3, .window_w = 3, .stride_h = 2, .stride_w = 2, .padding = Padding::kSame},
      PoolAttrs{.window_h = 3, .window_w = 2, .padding = Padding::kSame},
      PoolAttrs{.window_h = 2, .window_w = 3, .dilation_h = 2, .dilation_w = 2},
      PoolAttrs{.window_h = 5, .window_w = 7},
      PoolAttrs{.window_h = 9, .window_w = 9, .padding = Padding::kSame});
  const Tensor x = reference::noise({2, 5, 7, channels}, 1);
  const PoolGeometry g = pool_geometry(x.shape(), attrs);
  const Tensor most = max_pool(x, attrs);
  const Tensor mean = avg_pool(x, attrs);
  for (std::size_t i = 0; i < most.elements(); ++i) {
    const auto c = static_cast<int>(i) % channels;
    const int column = static_cast<int>(i) / channels % g.columns.out;
    const int row = static_cast<int>(i) / channels / g.columns.out % g.rows.out;
    const int image = static_cast<int>(i) / channels / g.columns.out / g.rows.out;
    double sum = 0;
    int cells = 0;
    float greatest = -std::numeric_limits<float>::infinity();
    for (int h = 0; h < attrs.window_h; ++h) {
      for (int w = 0; w < attrs.window_w; ++w) {
        const int y = g.rows.origin(row) + h * attrs.dilation_h;
        const int at = g.columns.origin(column) + w * attrs.dilation_w;
        if (y < 0 || y >= 5 || at < 0 || at >= 7) continue;
        const float value = x.data<float>()[((image * 5 + y) * 7 + at) * channels + c];
        greatest = std::max(greatest, value);
        sum += value;
        ++cells;
      }
    }
    REQUIRE(most.data<float>()[i] == greatest);
    REQUIRE(std::abs(mean.data<float>()[i] - sum / cells) < 1e-6);
  }
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
