#include "gl/matmul/matmul_conv.h"

#include <cmath>
#include <limits>

#include "gl/fixture.h"

namespace tenure::gl {
namespace {

Tensor computed(void (*run)(const MatmulConv&), const Tensor& x, const Tensor& filter, const Tensor& bias,
                const ConvAttrs& attrs) {
  const ConvGeometry g = conv2d_geometry(x.shape(), filter.shape(), attrs);
  Tensor out = Tensor::deferred({g.output(), DType::kFloat32});
  run({.x = x, .filter = filter, .bias = &bias, .out = out, .g = g, .activation = attrs.activation});
  return out;
}

// Kernels sum products in different orders.
constexpr double kTolerance = 1e-4;

}  // namespace

// The sizes and the device determine which of the two runs, so the ops' tests cover only one.
TEST_CASE("Products by tiles are those by fragments", "[gl][product]") {
  const GlFixture gl;
  const int window = GENERATE(1, 2, 3);
  const int stride = GENERATE(1, 2);
  const Padding padding = GENERATE(Padding::kSame, Padding::kValid);
  const auto [size, in, out] = GENERATE(
      table<int, int, int>({{3, 1, 1}, {3, 4, 4}, {5, 8, 12}, {9, 3, 9}, {12, 24, 16}, {20, 40, 36}}));
  const ConvAttrs attrs = {
      .stride_h = stride, .stride_w = stride, .padding = padding, .activation = Activation::kRelu};
  const Tensor x = random_values({2, size, size + 1, in});
  const Tensor filter = random_values({window, window, in, out});
  const Tensor bias = random_values({out});
  const Tensor direct = computed(run_direct, x, filter, bias, attrs);
  const Tensor tiled = computed(run_tiled, x, filter, bias, attrs);
  INFO(text("x ", x.shape(), " filter ", filter.shape(), " stride ", stride));
  expect_equal(tiled, direct, kTolerance);
}

TEST_CASE("Products of few rows are those by fragments", "[gl][product]") {
  const GlFixture gl;
  const int rows = GENERATE(1, 2, 3, 4, 5, 8, 13);
  const auto [in, out] = GENERATE(table<int, int>({{4, 16}, {64, 48}, {36, 160}}));
  const Tensor x = random_values({1, 1, rows, in});
  const Tensor filter = random_values({1, 1, in, out});
  const ConvAttrs attrs = {.activation = Activation::kRelu6};
  const Tensor direct = computed(run_direct, x, filter, random_values({out}), attrs);
  expect_equal(computed(run_small_m, x, filter, random_values({out}), attrs), direct, kTolerance);
}

TEST_CASE("What lies in the padding's place does not reach a product", "[gl][product]") {
  const GlFixture gl;
  // Tiles read the first pixel in place of padding.
  Tensor x = random_values({1, 6, 6, 8});
  x.mutable_data<float>()[0] = std::numeric_limits<float>::infinity();
  const Tensor filter = random_values({3, 3, 8, 8});
  const Tensor out = computed(run_tiled, x, filter, random_values({8}), {.padding = Padding::kSame});
  const auto pixel = [&](int row, int column) { return out.data<float>()[(row * 6 + column) * 8]; };
  CHECK_FALSE(std::isfinite(pixel(1, 1)));
  for (const int edge : {2, 3, 4, 5}) {
    CHECK(std::isfinite(pixel(0, edge)));
    CHECK(std::isfinite(pixel(edge, 5)));
  }
}

}  // namespace tenure::gl
