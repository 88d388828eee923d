#include "gl/prepare.h"

#include "core/dispatch.h"
#include "gl/fixture.h"
#include "ops/ops.h"

namespace tenure::gl {
namespace {

void check_close(const Tensor& got, const Tensor& expected) {
  REQUIRE(got.spec() == expected.spec());
  double worst = 0;
  for (std::size_t i = 0; i < got.elements(); ++i)
    worst = std::max(worst, std::abs(static_cast<double>(got.data<float>()[i]) - expected.data<float>()[i]));
  CHECK(worst < 1e-3);
}

/// Prepares for an x of that shape and a constant filter, and runs it twice beside the ordinary kernel.
void check_prepared(Op op, const Shape& x_shape, const Tensor& filter, AttrsView attrs) {
  const Tensor symbol = Tensor::symbolic({x_shape, DType::kFloat32}, 1);
  const Tensor bias = some_values({filter.shape().back()});
  const auto prepared = backend().prepare(op, {&symbol, &filter, &bias}, attrs);
  REQUIRE(prepared);
  const auto run_once = [&](float shift) {
    const Tensor x = on_device(add(some_values(x_shape), Tensor::scalar(shift)));
    const Tensor expected = run(op, {&x, &filter, &bias}, attrs);
    filter.storage()->set_copy(nullptr);
    Tensor out = Tensor::deferred(expected.spec());
    prepared->run({{&x, &filter, &bias}, attrs, out});
    check_close(out, expected);
  };
  const TextureStats& stats = Context::current()->textures().stats();
  run_once(0);
  const std::size_t used = stats.used_bytes;
  run_once(1);
  CHECK(stats.used_bytes == used);
}

}  // namespace

TEST_CASE("A constant filter is packed once", "[gl][prepare]") {
  const GlFixture gl;
  check_prepared(Op::mat_mul, {40, 64}, some_values({64, 48}), AttrsView(MatMulAttrs{}));
  check_prepared(Op::mat_mul, {2, 64}, some_values({64, 48}), AttrsView(MatMulAttrs{}));
  check_prepared(Op::conv2d, {1, 20, 20, 8}, some_values({3, 3, 8, 16}),
                 AttrsView(ConvAttrs{.padding = Padding::kSame}));
}

TEST_CASE("What was packed comes back after a lost context", "[gl][prepare]") {
  const GlFixture gl;
  const Tensor filter = some_values({64, 48});
  const Tensor symbol = Tensor::symbolic({{40, 64}, DType::kFloat32}, 1);
  const MatMulAttrs plain;
  const AttrsView attrs(plain);
  const auto prepared = backend().prepare(Op::mat_mul, {&symbol, &filter}, attrs);
  const Tensor x = some_values({40, 64});
  Tensor first = Tensor::deferred({{40, 48}, DType::kFloat32});
  prepared->run({{&x, &filter}, attrs, first});
  const Tensor expected = on_cpu(first);
  Context::current()->lose();
  REQUIRE(Context::start());
  Tensor second = Tensor::deferred(first.spec());
  prepared->run({{&x, &filter}, attrs, second});
  check_close(second, expected);
}

TEST_CASE("Only products of constants are prepared", "[gl][prepare]") {
  const GlFixture gl;
  const Tensor x = Tensor::symbolic({{1, 8, 8, 4}, DType::kFloat32}, 1);
  const Tensor filter = Tensor::symbolic({{3, 3, 4, 4}, DType::kFloat32}, 2);
  CHECK_FALSE(backend().prepare(Op::conv2d, {&x, &filter}, AttrsView(ConvAttrs{})));
  const Tensor constant = some_values({3, 3, 4, 4});
  CHECK_FALSE(backend().prepare(Op::depthwise_conv2d, {&x, &constant}, AttrsView(ConvAttrs{})));
}

}  // namespace tenure::gl
