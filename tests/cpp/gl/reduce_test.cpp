#include <limits>

#include "gl/fixture.h"
#include "ops/ops.h"

namespace tenure::gl {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

struct Case {
  Shape shape;
  Dims axes;
};

const std::vector<Case> kCases = {
    {{}, {}},
    {{1}, {0}},
    {{7}, {0}},
    {{4, 8}, {0}},
    {{4, 8}, {1}},
    {{5, 7}, {0}},
    {{5, 7}, {1}},
    {{6, 5, 3}, {1}},
    {{2, 49, 8}, {1}},
    {{2, 7, 7, 6}, {1, 2}},
    {{2, 3, 4, 5, 2, 3}, {0, 2, 4}},
    {{2, 3, 4, 5, 2, 4}, {1, 3}},
    {{100, 3}, {0}},
    {{700, 3}, {0}},
    {{1000, 6}, {0}},
    {{300, 64}, {0}},
    {{2, 1024, 4}, {1}},
    {{3, 1024, 3}, {1}},
    {{5, 1001}, {1}},
    {{5, 2048}, {1}},
    {{5, 1100}, {1}},
    {{1021, 5}, {0}},
    {{100003}, {0}},
    {{257, 1030}, {}},
};

// Sums of many values, that cancel out, are compared with the sum of their sizes.
double tolerance_of(Op op, const Case& c) {
  return op == Op::sum ? 1e-6 * static_cast<double>(c.shape.elements()) + 1e-5 : 1e-5;
}

}  // namespace

TEST_CASE("Reductions on the GPU are those of the CPU", "[gl][reduce]") {
  const GlFixture gl;
  const Case c = GENERATE(from_range(kCases));
  const Op op = GENERATE(Op::sum, Op::mean, Op::max, Op::min);
  const ReduceAttrs attrs{c.axes, GENERATE(0, 1)};
  expect_gl_equals_cpu(op, {some_values(c.shape)}, AttrsView(attrs), tolerance_of(op, c));
  expect_gl_equals_cpu(op, {some_values(c.shape, DType::kInt32)}, AttrsView(attrs));
  expect_gl_equals_cpu(op, {some_values(c.shape, DType::kBool)}, AttrsView(attrs));
}

TEST_CASE("Products on the GPU are those of the CPU", "[gl][reduce]") {
  const GlFixture gl;
  const Case c = GENERATE(values<Case>({{{3, 5}, {0}}, {{3, 5}, {1}}, {{6, 4}, {0}}, {{2, 3, 4}, {}}}));
  const ReduceAttrs attrs{c.axes, 0};
  expect_gl_equals_cpu(Op::prod, {some_values(c.shape)}, AttrsView(attrs));
  expect_gl_equals_cpu(Op::prod, {some_values(c.shape, DType::kInt32)}, AttrsView(attrs));
  expect_gl_equals_cpu(Op::prod, {some_values(c.shape, DType::kBool)}, AttrsView(attrs));
}

TEST_CASE("Any and all on the GPU are those of the CPU", "[gl][reduce]") {
  const GlFixture gl;
  const Case c = GENERATE(from_range(kCases));
  const ReduceAttrs attrs{c.axes, 0};
  for (const bool value : {false, true}) {
    Tensor x({c.shape, DType::kBool});
    std::fill_n(x.mutable_data<std::uint8_t>(), x.elements(), static_cast<std::uint8_t>(value));
    expect_gl_equals_cpu(Op::any, {x}, AttrsView(attrs));
    expect_gl_equals_cpu(Op::all, {x}, AttrsView(attrs));
    x.mutable_data<std::uint8_t>()[x.elements() - 1] = !value;
    expect_gl_equals_cpu(Op::any, {x}, AttrsView(attrs));
    expect_gl_equals_cpu(Op::all, {x}, AttrsView(attrs));
  }
}

TEST_CASE("Integers are summed exactly, and round their range, on the GPU", "[gl][reduce]") {
  const GlFixture gl;
  const ReduceAttrs attrs;
  const Tensor x = Tensor::from({2147483647, 16777217, 5, -3, 1000000007}, {5});
  expect_gl_equals_cpu(Op::sum, {x}, AttrsView(attrs));
  expect_gl_equals_cpu(Op::max, {x}, AttrsView(attrs));
  expect_gl_equals_cpu(Op::min, {x}, AttrsView(attrs));
}

TEST_CASE("The largest of NaN and numbers is NaN on the GPU", "[gl][reduce]") {
  const GlFixture gl;
  const Op op = GENERATE(Op::max, Op::min, Op::sum, Op::mean);
  const Tensor x = Tensor::from({kNan, 1.0F, 2.0F, 3.0F, kNan, -1.0F, 5.0F, 6.0F, kNan, kInf, 1.0F, -5.0F,
                                 -kInf, 0.0F, -kInf, 7.0F, 7.0F, 7.0F},
                                {6, 3});
  for (const Dims& axes : {Dims{0}, Dims{1}, Dims{}}) {
    const ReduceAttrs attrs{axes, 0};
    expect_gl_equals_cpu(op, {x}, AttrsView(attrs));
  }
}

TEST_CASE("NaN goes through every pass of a long reduction", "[gl][reduce]") {
  const GlFixture gl;
  const Op op = GENERATE(Op::max, Op::min);
  Tensor x = some_values({40000});
  x.mutable_data<float>()[GENERATE(0, 20000, 39999)] = kNan;
  const ReduceAttrs attrs;
  expect_gl_equals_cpu(op, {x}, AttrsView(attrs));
}

TEST_CASE("What is reduced away from nothing is the first value", "[gl][reduce]") {
  const GlFixture gl;
  const Tensor x({{0, 5000}, DType::kFloat32});
  CHECK(sum(x, {{0}, 0}).data<float>()[4999] == 0);
  CHECK(max(x, {{0}, 0}).data<float>()[4999] == -kInf);
}

}  // namespace tenure::gl
