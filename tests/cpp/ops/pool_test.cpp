#include <cmath>

#include "catch.h"
#include "ops/ops.h"

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
