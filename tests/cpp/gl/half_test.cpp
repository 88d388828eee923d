#include <algorithm>

#include "gl/device/device_memory.h"
#include "gl/fixture.h"
#include "ops/ops.h"

namespace tenure::gl {
namespace {

/// Scope: stores floats as float16, as on a GPU that cannot render to float32.
struct Half {
  Half() { Context::prefer_half(true); }
  ~Half() { Context::prefer_half(false); }
  Half(const Half&) = delete;
  Half& operator=(const Half&) = delete;
};

constexpr double kTolerance = 4e-3;

Tensor filled(const Shape& shape, float value) {
  Tensor x({shape, DType::kFloat32});
  std::fill_n(x.mutable_data<float>(), x.elements(), value);
  return x;
}

}  // namespace

TEST_CASE("Floats in float16 take half the memory, and go there and back", "[gl][half]") {
  const GlFixture gl;
  const Tensor x = random_values({64, 64});
  const std::size_t full = on_device(x).storage()->device()->bytes();
  const Half half;
  const Tensor there = on_device(x);
  CHECK(there.storage()->device()->bytes() == full / 2);
  for (std::size_t i = 0; i < x.elements(); ++i) {
    REQUIRE(there.data<float>()[i] == Catch::Approx(x.data<float>()[i]).margin(kTolerance));
  }
}

TEST_CASE("Kernels compute in float16 textures", "[gl][half]") {
  const GlFixture gl;
  const Half half;
  expect_gl_equals_cpu(Op::tanh, {random_values({33, 7})}, {}, kTolerance);
  expect_gl_equals_cpu(Op::add, {random_values({5, 6}), random_values({6})}, {}, kTolerance);
  expect_gl_equals_cpu(Op::softmax, {random_values({9, 30})}, {}, kTolerance);
  expect_gl_equals_cpu(Op::transpose, {random_values({9, 30})}, AttrsView(PermutationAttrs{.perm = {1, 0}}),
                       kTolerance);
  const Tensor filter = random_values({3, 3, 4, 8});
  expect_gl_equals_cpu(Op::conv2d, {random_values({1, 9, 9, 4}), filter}, AttrsView(ConvAttrs{}),
                       4 * kTolerance);
  expect_gl_equals_cpu(Op::mat_mul, {random_values({16, 24}), random_values({24, 32})},
                       AttrsView(MatMulAttrs{}), 4 * kTolerance);
}

TEST_CASE("Sums are not rounded on their way in float16", "[gl][half]") {
  const GlFixture gl;
  const Half half;
  const auto check = [](Op op, const std::vector<Tensor>& inputs, AttrsView attrs) {
    expect_gl_equals_cpu(op, inputs, attrs, 8 * kTolerance);
  };
  const ConvAttrs same = {.padding = Padding::kSame, .activation = Activation::kSwish};
  check(Op::conv2d, {random_values({1, 24, 24, 8}), random_values({3, 3, 8, 24}), random_values({24})},
        AttrsView(same));
  check(Op::conv2d, {random_values({1, 24, 24, 3}), random_values({3, 3, 3, 32})}, AttrsView(same));
  check(Op::depthwise_conv2d, {random_values({1, 24, 24, 32}), random_values({3, 3, 32, 1})},
        AttrsView(same));
  check(Op::mat_mul, {random_values({70, 64}), random_values({64, 48})}, AttrsView(MatMulAttrs{}));
  check(Op::mat_mul, {random_values({5, 256}), random_values({256, 64})}, AttrsView(MatMulAttrs{}));
  // The products are no float16 values, and the sum consists of just the bits that rounding would drop.
  const float some = 1 + 3.0F / 1024;
  Tensor x = filled({1, 2048}, some);
  Tensor y = filled({2048, 1}, some);
  for (std::size_t i = 0; i < x.elements(); i += 2) {
    x.mutable_data<float>()[i] = -1 - 6.0F / 1024;
    y.mutable_data<float>()[i] = 1;
  }
  const Tensor a = on_device(x);
  const Tensor b = on_device(y);
  CHECK(mat_mul(a, b, {}).data<float>()[0] == Catch::Approx(1024 * 9.0 / (1 << 20)).epsilon(1e-2));
}

TEST_CASE("A sum beyond float16 is activated as what it is", "[gl][half]") {
  const GlFixture gl;
  const Half half;
  const int rows = GENERATE(5, 16);
  const MatMulAttrs product = {.activation = Activation::kLeakyRelu, .alpha = 0.5F};
  expect_gl_equals_cpu(Op::mat_mul, {filled({rows, 512}, -200), filled({512, 256}, 1)}, AttrsView(product),
                       kTolerance);
  const ConvAttrs depthwise = {.activation = Activation::kLeakyRelu, .alpha = 0.5F};
  expect_gl_equals_cpu(Op::depthwise_conv2d, {filled({1, 24, 24, 32}, -200), filled({3, 3, 32, 1}, 50)},
                       AttrsView(depthwise), kTolerance);
}

TEST_CASE("Integers keep all their bits beside float16", "[gl][half]") {
  const GlFixture gl;
  const Half half;
  const Tensor large = Tensor::from({(1 << 24) + 1, -(1 << 30) - 3, 2147483647}, {3});
  expect_gl_equals_cpu(Op::maximum, {large, Tensor::from({0, 0, 0}, {3})});
}

}  // namespace tenure::gl
