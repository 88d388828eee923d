#include <limits>

#include "gl/fixture.h"

namespace tenure::gl {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

}  // namespace

TEST_CASE("Softmax on the GPU is that of the CPU", "[gl][softmax]") {
  const GlFixture gl;
  const Op op = GENERATE(Op::softmax, Op::log_softmax);
  const Shape shape = GENERATE(values<Shape>({{1},
                                              {10},
                                              {7, 1},
                                              {5, 2},
                                              {9, 3},
                                              {6, 4},
                                              {2, 3, 5, 7},
                                              {100, 1000},
                                              {33, 1001},
                                              {1, 50000},
                                              {3, 20001}}));
  expect_gl_equals_cpu(op, {some_values(shape)});
}

TEST_CASE("Softmax on the GPU keeps large values apart from infinities", "[gl][softmax]") {
  const GlFixture gl;
  const Op op = GENERATE(Op::softmax, Op::log_softmax);
  const Tensor x = Tensor::from({1000.0F, 999.0F, -1000.0F, -kInf, -kInf, -kInf, 1.0F, kNan, 2.0F, kInf, 1.0F,
                                 0.0F, -kInf, 0.0F, 0.5F, -3e38F, 3e38F, 0.0F},
                                {6, 3});
  expect_gl_equals_cpu(op, {x});
}

TEST_CASE("A long row whose parts are infinite or NaN is spoiled as on the CPU", "[gl][softmax]") {
  const GlFixture gl;
  const Op op = GENERATE(Op::softmax, Op::log_softmax);
  const bool spoiled = GENERATE(false, true);
  Tensor x = some_values({2, 8192});
  float* values = x.mutable_data<float>();
  std::fill_n(values, 3000, -kInf);
  if (spoiled) values[1] = kNan;
  expect_gl_equals_cpu(op, {x});
}

}  // namespace tenure::gl
