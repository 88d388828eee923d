#include "gl/fixture.h"
#include "ops/ops.h"

namespace tenure::gl {
namespace {

Tensor variances(const Shape& shape) {
  Tensor x = some_values(shape);
  for (std::size_t i = 0; i < x.elements(); ++i) x.mutable_data<float>()[i] += 2.5F;
  return x;
}

}  // namespace

TEST_CASE("Batch normalization on the GPU is that of the CPU", "[gl][batch_norm]") {
  const GlFixture gl;
  const std::int32_t channels = GENERATE(1, 2, 3, 4, 6, 64);
  const Tensor x = some_values({3, 5, 7, channels});
  const Tensor mean = some_values({channels});
  const Tensor variance = variances({channels});
  const BatchNormAttrs attrs{0.01F};
  expect_gl_equals_cpu(Op::batch_norm, {x, mean, variance}, AttrsView(attrs));
  expect_gl_equals_cpu(Op::batch_norm, {x, mean, variance, some_values({channels}), variance},
                       AttrsView(attrs));
  expect_gl_equals_cpu(Op::batch_norm, {x, mean, variance, Tensor(), mean}, AttrsView(attrs));
}

TEST_CASE("Parameters of x's own shape normalize each element on the GPU", "[gl][batch_norm]") {
  const GlFixture gl;
  const Shape shape = GENERATE(values<Shape>({{3, 5}, {4, 8}, {7}}));
  const Tensor x = some_values(shape);
  const Tensor per_channel = shape.rank == 1 ? some_values(shape) : some_values({1, shape.back()});
  const BatchNormAttrs attrs;
  expect_gl_equals_cpu(Op::batch_norm, {x, per_channel, variances(shape), x}, AttrsView(attrs));
}

}  // namespace tenure::gl
