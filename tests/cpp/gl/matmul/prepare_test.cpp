#include "gl/matmul/prepare.h"

#include "core/memory/transfer_stats.h"
#include "core/run/dispatch.h"
#include "gl/backend.h"
#include "gl/device/device_memory.h"
#include "gl/fixture.h"
#include "ops/ops.h"

namespace tenure::gl {
namespace {

// Kernels sum products in different orders.
constexpr double kTolerance = 1e-4;

/// Prepares a kernel for x of this shape and a constant filter, and runs it for inputs on the device and on
/// the CPU.
void check_prepared(Op op, const Shape& x_shape, const Tensor& filter, AttrsView attrs, int columns) {
  const Tensor symbol = Tensor::symbolic({x_shape, DType::kFloat32}, 1);
  const Tensor bias = random_values({columns});
  const auto prepared = backend().prepare(op, {&symbol, &filter, &bias}, attrs);
  REQUIRE(prepared);
  const auto run_once = [&](float shift, bool is_on_device) {
    Tensor x = reference(Op::add, {random_values(x_shape), Tensor::scalar(shift)});
    const Tensor expected = reference(op, {x, filter, bias}, attrs);
    if (is_on_device) device().move_to_device(x);
    Tensor out = Tensor::deferred(expected.spec());
    const std::size_t before = total_transfer_stats().uploads;
    prepared->run({{&x, &filter, &bias}, attrs, out});
    const std::size_t uploads = total_transfer_stats().uploads - before;
    CHECK(out.storage()->only_on_device());
    expect_equal(out, expected, kTolerance);
    bias.storage()->set_copy(nullptr);
    return uploads;
  };
  const TextureStats& stats = Context::current()->textures().stats();
  run_once(0, true);
  const std::size_t used = stats.used_bytes;
  // One upload: the bias, whose copy on the device run_once() drops.
  CHECK(run_once(1, true) == 1);
  CHECK(stats.used_bytes == used);
  run_once(2, false);
  run_once(3, true);
  CHECK(stats.used_bytes == used);
}

}  // namespace

TEST_CASE("A constant filter is packed once", "[gl][prepare]") {
  const GlFixture gl;
  check_prepared(Op::mat_mul, {40, 64}, random_values({64, 48}), AttrsView(MatMulAttrs{}), 48);
  check_prepared(Op::mat_mul, {2, 64}, random_values({64, 48}), AttrsView(MatMulAttrs{}), 48);
  check_prepared(Op::mat_mul, {40, 30}, random_values({30, 45}), AttrsView(MatMulAttrs{}), 45);
  check_prepared(Op::mat_mul, {40, 30}, random_values({45, 30}), AttrsView(MatMulAttrs{.transpose_b = true}),
                 45);
  check_prepared(Op::mat_mul, {3, 40, 32}, random_values({3, 32, 20}), AttrsView(MatMulAttrs{}), 20);
  check_prepared(Op::conv2d, {1, 20, 20, 8}, random_values({3, 3, 8, 16}),
                 AttrsView(ConvAttrs{.padding = Padding::kSame}), 16);
}

TEST_CASE("A filter is packed anew for windows of few channels that are on the CPU", "[gl][prepare]") {
  const GlFixture gl;
  const int channels = GENERATE(1, 2, 3);
  const int window = GENERATE(2, 3);
  const auto [stride, dilation] = GENERATE(table<int, int>({{1, 1}, {2, 1}, {1, 2}}));
  const auto padding = GENERATE(Padding::kSame, Padding::kValid);
  check_prepared(Op::conv2d, {2, 19, 18, channels}, random_values({window, window, channels, 32}),
                 AttrsView(ConvAttrs{.stride_h = stride,
                                     .stride_w = stride,
                                     .dilation_h = dilation,
                                     .dilation_w = dilation,
                                     .padding = padding,
                                     .activation = Activation::kRelu6}),
                 32);
}

TEST_CASE("What was packed comes back after a lost context", "[gl][prepare]") {
  const GlFixture gl;
  const Tensor filter = random_values({64, 48});
  const Tensor symbol = Tensor::symbolic({{40, 64}, DType::kFloat32}, 1);
  const MatMulAttrs plain;
  const AttrsView attrs(plain);
  const auto prepared = backend().prepare(Op::mat_mul, {&symbol, &filter}, attrs);
  const Tensor x = random_values({40, 64});
  Tensor first = Tensor::deferred({{40, 48}, DType::kFloat32});
  prepared->run({{&x, &filter}, attrs, first});
  const Tensor expected = on_cpu(first);
  Context::current()->lose();
  REQUIRE(Context::start());
  Tensor second = Tensor::deferred(first.spec());
  prepared->run({{&x, &filter}, attrs, second});
  expect_equal(second, expected, kTolerance);
}

TEST_CASE("Only products of constants are prepared", "[gl][prepare]") {
  const GlFixture gl;
  const Tensor x = Tensor::symbolic({{1, 8, 8, 4}, DType::kFloat32}, 1);
  const Tensor filter = Tensor::symbolic({{3, 3, 4, 4}, DType::kFloat32}, 2);
  CHECK_FALSE(backend().prepare(Op::conv2d, {&x, &filter}, AttrsView(ConvAttrs{})));
  const Tensor constant = random_values({3, 3, 4, 4});
  CHECK_FALSE(backend().prepare(Op::depthwise_conv2d, {&x, &constant}, AttrsView(ConvAttrs{})));
}

}  // namespace tenure::gl
