#include <limits>

#include "gl/fixture.h"

namespace tenure::gl {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

}  // namespace

TEST_CASE("Places of extremes on the GPU are those of the CPU", "[gl][arg_reduce]") {
  const GlFixture gl;
  struct Case {
    Shape shape;
    std::int32_t axis;
  };
  const Case c = GENERATE(values<Case>({
      {{7}, 0},
      {{5, 7}, 0},
      {{5, 7}, 1},
      {{5, 8}, 0},
      {{5, 8}, 1},
      {{3, 4, 5}, 1},
      {{3, 4, 8}, 1},
      {{2, 3, 2, 3, 2, 3}, 2},
      {{40, 1001}, 1},
      {{3, 5000}, 1},
      {{1, 16385}, 1},
      {{3, 20001}, 1},
      {{2, 1500, 4}, 1},
      {{1500, 3}, 0},
  }));
  const Op op = GENERATE(Op::arg_max, Op::arg_min);
  const DType dtype = GENERATE(DType::kFloat32, DType::kInt32, DType::kBool);
  const ArgReduceAttrs attrs{c.axis};
  expect_gl_equals_cpu(op, {some_values(c.shape, dtype)}, AttrsView(attrs));
}

TEST_CASE("A NaN wins on the GPU only where it comes first", "[gl][arg_reduce]") {
  const GlFixture gl;
  const Op op = GENERATE(Op::arg_max, Op::arg_min);
  const Tensor x = Tensor::from(
      {kNan, 1.0F, 2.0F, 3.0F, kNan, -1.0F, kInf, kInf, 0.0F, -kInf, 2.0F, -kInf, 4.0F, 4.0F, 4.0F}, {5, 3});
  for (const std::int32_t axis : {0, 1}) {
    const ArgReduceAttrs attrs{axis};
    expect_gl_equals_cpu(op, {x}, AttrsView(attrs));
  }
}

TEST_CASE("The first of equal values far apart is found on the GPU", "[gl][arg_reduce]") {
  const GlFixture gl;
  Tensor x({{9000}, DType::kFloat32});
  std::fill_n(x.mutable_data<float>(), 9000, 0.0F);
  const std::size_t first = GENERATE(0, 3, 1001, 8999);
  x.mutable_data<float>()[first] = x.mutable_data<float>()[8999] = 1;
  const ArgReduceAttrs attrs;
  expect_gl_equals_cpu(Op::arg_max, {x}, AttrsView(attrs));
  expect_gl_equals_cpu(Op::arg_min, {x}, AttrsView(attrs));
}

}  // namespace tenure::gl
