#include <cmath>
#include <vector>

#include "catch.h"
#include "ops/ops.h"

namespace tenure {
namespace {

using Catch::Matchers::Message;

Tensor norm_of(const Tensor& x, const NormAttrs& attrs) { return norm(x, attrs); }

struct Case {
  NormAttrs attrs;
  Shape out;
  std::vector<float> values;
};

}  // namespace

TEST_CASE("Norms of a matrix, of its rows and of all its elements", "[norm]") {
  const Tensor x = Tensor::from({1.0F, -2.0F, 3.0F, -4.0F, 5.0F, 6.0F}, {2, 3});
  const float whole = std::sqrt(91.0F);
  const Case c = GENERATE_COPY(values<Case>({
      {{}, {}, {whole}},
      {{.order = NormOrder::kP, .p = 1}, {}, {21}},
      {{.order = NormOrder::kP, .p = 2}, {}, {whole}},
      {{.order = NormOrder::kP, .p = 3}, {}, {std::cbrt(441.0F)}},
      {{.order = NormOrder::kInfinity}, {}, {6}},
      {{.order = NormOrder::kMinusInfinity}, {}, {1}},
      {{.keep_dims = true}, {1, 1}, {whole}},
      {{.axes = {1}}, {2}, {std::sqrt(14.0F), std::sqrt(77.0F)}},
      {{.axes = {-2}}, {3}, {std::sqrt(17.0F), std::sqrt(29.0F), std::sqrt(45.0F)}},
      {{.order = NormOrder::kInfinity, .axes = {1}, .keep_dims = true}, {2, 1}, {3, 6}},
      {{.axes = {0, 1}}, {}, {whole}},
      {{.order = NormOrder::kFrobenius, .axes = {0, 1}, .keep_dims = true}, {1, 1}, {whole}},
      {{.order = NormOrder::kP, .p = 1, .axes = {0, 1}}, {}, {9}},
      {{.order = NormOrder::kP, .p = 1, .axes = {1, 0}}, {}, {15}},
      {{.order = NormOrder::kInfinity, .axes = {0, 1}}, {}, {15}},
      {{.order = NormOrder::kMinusInfinity, .axes = {-2, -1}}, {}, {6}},
  }));
  const Tensor out = norm_of(x, c.attrs);
  REQUIRE(out.shape() == c.out);
  for (std::size_t i = 0; i < c.values.size(); ++i) CHECK(out.data<float>()[i] == Catch::Approx(c.values[i]));
}

TEST_CASE("Norms of scalars, of integers and of a stack of matrices", "[norm]") {
  CHECK(norm_of(Tensor::scalar(-3.0F), {}).data<float>()[0] == 3);
  const Tensor i = Tensor::from({3, -4}, {2});
  CHECK(norm_of(i, {}).data<float>()[0] == 5);
  CHECK(norm_of(i, {.order = NormOrder::kP, .p = 1}).data<std::int32_t>()[0] == 7);
  const Tensor stack = Tensor::from({1.0F, 2.0F, 2.0F, 4.0F, 0.0F, 3.0F}, {2, 3, 1});
  const Tensor out = norm_of(stack, {.order = NormOrder::kFrobenius, .axes = {1, 2}});
  REQUIRE(out.shape() == Shape{2});
  CHECK(out.data<float>()[0] == 3);
  CHECK(out.data<float>()[1] == 5);
}

TEST_CASE("Norm rejects orders and axes without meaning", "[norm]") {
  const Tensor x({{2, 3, 4}, DType::kFloat32});
  CHECK_THROWS_MATCHES(norm_of(x, {.axes = {0, 1, 2}}), Error, Message("[norm] invalid axis: [0,1,2]"));
  CHECK_THROWS_MATCHES(norm_of(x, {.axes = {1, -2}}), Error, Message("[norm] invalid axis: [1,-2]"));
  CHECK_THROWS_MATCHES(norm_of(x, {.order = NormOrder::kFrobenius, .axes = {0}}), Error,
                       Message("[norm] invalid ord value: fro"));
  CHECK_THROWS_MATCHES(norm_of(x, {.order = NormOrder::kP, .p = 2, .axes = {0, 1}}), Error,
                       Message("[norm] invalid ord value: 2"));
  CHECK_THROWS_MATCHES(norm_of(x, {.order = NormOrder::kP, .p = -1, .axes = {0}}), Error,
                       Message("[norm] invalid ord value: -1"));
}

}  // namespace tenure
