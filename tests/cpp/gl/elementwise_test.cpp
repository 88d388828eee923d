#include <algorithm>
#include <cmath>
#include <limits>

#include "core/crossings.h"
#include "gl/fixture.h"
#include "ops/ops.h"

namespace tenure::gl {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

Tensor special_floats() {
  return Tensor::from({0.0F,  -0.0F, 0.5F,  -0.5F,  1.0F,  -1.0F,  1.5F,  2.5F, -2.5F, 3.25F,
                       -7.0F, 6.0F,  20.0F, -90.0F, 1e-6F, -1e-6F, 0.01F, kInf, -kInf, kNan},
                      {20});
}
Tensor special_ints() {
  constexpr int kMin = std::numeric_limits<int>::min();
  return Tensor::from({0, 1, -1, 2, -2, 3, 7, -7, 16777217, -16777219, 2147483647, kMin}, {12});
}

Tensor floats(const std::vector<float>& values) {
  Tensor x(TensorSpec{Shape{static_cast<std::int32_t>(values.size())}, DType::kFloat32});
  std::copy(values.begin(), values.end(), x.mutable_data<float>());
  return x;
}

struct Row {
  Op op;
  Rule rule;
};
constexpr Row kUnary[] = {
#define UNARY(name, js, rule, ...) {Op::name, Rule::rule},
#include "ops/ops.def"
};
constexpr Row kBinary[] = {
#define BINARY(name, js, a, b, rule, ...) {Op::name, Rule::rule},
#include "ops/ops.def"
};

// Words of attributes for a row, those of Alpha or Clip.
AttrsView attrs_of(Op op) {
  static const AlphaAttrs kAlpha{0.25F};
  static const ClipAttrs kClip{-2, 3};
  if (op == Op::clip_by_value) return AttrsView(kClip);
  if (op == Op::step || op == Op::elu || op == Op::leaky_relu) return AttrsView(kAlpha);
  return {};
}

// The type that a rule computes in; kernels never see another.
Tensor inputs_for(Rule rule) {
  return rule == Rule::kLogical ? some_values({21}, DType::kBool) : special_floats();
}

}  // namespace

TEST_CASE("Two large tensors are added on the GPU", "[gl]") {
  const GlFixture gl;
  expect_gl_equals_cpu(Op::add, {some_values({1000, 1003}), some_values({1000, 1003})});
}

TEST_CASE("Unary rows give on the GPU what they give on the CPU", "[gl][elementwise]") {
  const GlFixture gl;
  const Row& row = GENERATE(from_range(std::begin(kUnary), std::end(kUnary)));
  expect_gl_equals_cpu(row.op, {inputs_for(row.rule)}, attrs_of(row.op), 2e-5);
  if (row.rule != Rule::kLogical)
    expect_gl_equals_cpu(row.op, {some_values({33, 3})}, attrs_of(row.op), 2e-5);
  if (row.rule == Rule::kSame) expect_gl_equals_cpu(row.op, {special_ints()}, attrs_of(row.op));
}

TEST_CASE("Binary rows give on the GPU what they give on the CPU", "[gl][elementwise]") {
  const GlFixture gl;
  const Row& row = GENERATE(from_range(std::begin(kBinary), std::end(kBinary)));
  const Tensor x = inputs_for(row.rule);
  expect_gl_equals_cpu(row.op, {x.with_shape({x.dim(0), 1}), x}, {}, 2e-5);
  if (row.rule == Rule::kArithmetic || row.rule == Rule::kCompare) {
    const Tensor ints = special_ints();
    expect_gl_equals_cpu(row.op, {ints.with_shape({12, 1}), ints});
  }
}

TEST_CASE("Large angles are reduced on the GPU", "[gl][elementwise]") {
  const GlFixture gl;
  const Op op = GENERATE(Op::sin, Op::cos, Op::tan);
  std::vector<float> angles = {8191.5F, 8192, 1e4F, -1e5F, 1e7F, 1e9F, -1e12F, 1e20F, -3e30F, 3.4e38F};
  for (int i = 0; i < 200; ++i)
    angles.push_back(std::ldexp(1.0F + static_cast<float>(i) / 256, 13 + i % 110));
  expect_gl_equals_cpu(op, {floats(angles)}, {}, 2e-5);
}

TEST_CASE("Logarithms near 1 keep their digits on the GPU", "[gl][elementwise]") {
  const GlFixture gl;
  const std::vector<float> near = {0.9999999F, 1.0000001F, 0.99999F, 1.00001F, 0.999F, 1.001F, 0.9F, 1.1F};
  const Tensor got = log(on_device(floats(near)));
  for (std::size_t i = 0; i < near.size(); ++i) {
    const double wanted = std::log(static_cast<double>(near[i]));
    CHECK(std::abs(got.data<float>()[i] - wanted) <= 1e-6 * std::abs(wanted));
  }
}

TEST_CASE("Remainders of large numbers are exact on the GPU", "[gl][elementwise]") {
  const GlFixture gl;
  const Tensor x = floats({1e30F, -1e30F, 16777215, 3e9F, -7e8F, 1e9F, 5, -5});
  const Tensor y = floats({3, 7, 3.1F, -1e-3F, 0.7F, 1e30F, kInf, kInf});
  expect_gl_equals_cpu(Op::mod, {x, y}, {}, 1e-7);
}

TEST_CASE("acosh below 1 is no number on the GPU", "[gl][elementwise]") {
  const GlFixture gl;
  expect_gl_equals_cpu(Op::acosh, {floats({0.9999999F, 0.5F, 0, -1, -2, -1e30F, 1, 1.0000001F})}, {}, 2e-5);
}

TEST_CASE("Shapes broadcast on the GPU", "[gl][elementwise]") {
  const GlFixture gl;
  struct Case {
    Shape a;
    Shape b;
  };
  const Case c = GENERATE(values<Case>({
      {{}, {}},
      {{5}, {}},
      {{}, {5}},
      {{7, 3}, {3}},
      {{7, 8}, {8}},
      {{8}, {7, 8}},
      {{7, 8}, {1, 8}},
      {{5, 7, 8}, {7, 8}},
      {{7, 1}, {1, 9}},
      {{7, 1}, {1, 8}},
      {{37, 41}, {41}},
      {{41, 37, 2}, {2}},
      {{64, 1}, {64, 32}},
      {{2, 37, 19}, {2, 1, 19}},
      {{2, 3, 4}, {2, 1, 4}},
      {{2, 3, 4}, {3, 1}},
      {{2, 1, 4}, {3, 1}},
      {{2, 1, 3, 1, 5}, {4, 1, 2, 1}},
      {{300, 1, 3}, {300, 2, 1}},
      {{2, 1, 3, 1, 2, 1, 2}, {1, 2, 1, 2, 1, 2, 1}},
  }));
  expect_gl_equals_cpu(Op::sub, {some_values(c.a), some_values(c.b)});
  expect_gl_equals_cpu(Op::mul, {some_values(c.a, DType::kInt32), some_values(c.b, DType::kInt32)});
  expect_gl_equals_cpu(Op::less, {some_values(c.a), some_values(c.b)});
}

TEST_CASE("A number on the CPU needs no upload", "[gl][elementwise]") {
  const GlFixture gl;
  const Tensor x = on_device(some_values({100}));
  const Tensor three = Tensor::scalar(3.0F);
  const std::size_t uploads = total_crossings().uploads;
  const Tensor y = mul(x, three);
  CHECK(y.storage()->only_on_device());
  CHECK(total_crossings().uploads == uploads);
  CHECK(three.storage()->device() == nullptr);
  CHECK(y.data<float>()[7] == x.data<float>()[7] * 3);
}

}  // namespace tenure::gl
