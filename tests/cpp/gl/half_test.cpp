#include "gl/device_memory.h"
#include "gl/fixture.h"

namespace tenure::gl {
namespace {

/// Keeps floats in float16 until the end of the block, as a GPU does that cannot draw into float32.
struct Half {
  Half() { Context::prefer_half(true); }
  ~Half() { Context::prefer_half(false); }
  Half(const Half&) = delete;
  Half& operator=(const Half&) = delete;
};

constexpr double kTolerance = 4e-3;

}  // namespace

TEST_CASE("Floats in float16 take half the memory, and go there and back", "[gl][half]") {
  const GlFixture gl;
  const Tensor x = some_values({64, 64});
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
  expect_gl_equals_cpu(Op::tanh, {some_values({33, 7})}, {}, kTolerance);
  expect_gl_equals_cpu(Op::add, {some_values({5, 6}), some_values({6})}, {}, kTolerance);
  expect_gl_equals_cpu(Op::softmax, {some_values({9, 30})}, {}, kTolerance);
  expect_gl_equals_cpu(Op::transpose, {some_values({9, 30})}, AttrsView(PermutationAttrs{.perm = {1, 0}}),
                       kTolerance);
  const Tensor filter = some_values({3, 3, 4, 8});
  expect_gl_equals_cpu(Op::conv2d, {some_values({1, 9, 9, 4}), filter}, AttrsView(ConvAttrs{}),
                       4 * kTolerance);
  expect_gl_equals_cpu(Op::mat_mul, {some_values({16, 24}), some_values({24, 32})}, AttrsView(MatMulAttrs{}),
                       4 * kTolerance);
}

TEST_CASE("Integers keep all their bits beside float16", "[gl][half]") {
  const GlFixture gl;
  const Half half;
  const Tensor large = Tensor::from({(1 << 24) + 1, -(1 << 30) - 3, 2147483647}, {3});
  expect_gl_equals_cpu(Op::maximum, {large, Tensor::from({0, 0, 0}, {3})});
}

}  // namespace tenure::gl
