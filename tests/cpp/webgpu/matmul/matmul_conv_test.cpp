#include "webgpu/matmul/matmul_conv.h"

#include <cmath>
#include <limits>

#include "core/run/dispatch.h"
#include "core/text.h"
#include "ops/cases/device_checks.h"
#include "webgpu/fixture.h"
#include "webgpu/product_checks.h"

namespace tenure::webgpu {
namespace {

Shape matrix(int rows, int columns, bool transpose) {
  return transpose ? Shape{columns, rows} : Shape{rows, columns};
}

}  // namespace

// A device is of one class, so the ops' cases cover one only. SwiftShader takes seconds to compile a kernel
// with barriers, which limits the combinations.
TEST_CASE("Matrices are multiplied by workgroups", "[webgpu][product]") {
  const WebGpuFixture gpu;
  const cases::AllOnDevice device;
  const ClassGuard hardware(DeviceClass::kHardware);
  // Elements and vectors, both in either order; chunks of the addends; large tiles.
  const auto [rows, depth, columns, transpose] =
      GENERATE(table<int, int, int, bool>({{17, 33, 19, false},
                                           {17, 33, 19, true},
                                           {64, 72, 48, false},
                                           {64, 72, 48, true},
                                           {20, 500, 16, true},
                                           {512, 20, 516, false}}));
  INFO(text(rows, " x ", depth, " x ", columns, " transposed ", transpose));
  const MatMulAttrs attrs = {
      .transpose_a = transpose, .transpose_b = transpose, .activation = Activation::kRelu};
  check_op(Op::mat_mul,
           {spread_values(matrix(rows, depth, transpose), 1),
            spread_values(matrix(depth, columns, transpose), 2), spread_values({columns}, 3)},
           AttrsView(attrs));
}

TEST_CASE("Batches of matrices are multiplied by workgroups", "[webgpu][product]") {
  const WebGpuFixture gpu;
  const cases::AllOnDevice device;
  const ClassGuard hardware(DeviceClass::kHardware);
  check_op(Op::mat_mul, {spread_values({3, 1, 18, 24}, 1), spread_values({2, 24, 20}, 2)},
           AttrsView(MatMulAttrs{}));
}

TEST_CASE("A product has room for the parameters of the highest rank", "[webgpu][product]") {
  const WebGpuFixture gpu;
  const cases::AllOnDevice device;
  const MatMulAttrs attrs = {.activation = Activation::kLeakyRelu, .alpha = 0.25F};
  check_op(Op::mat_mul,
           {spread_values({2, 1, 2, 1, 2, 1, 3, 4}, 1), spread_values({1, 2, 1, 2, 1, 2, 4, 5}, 2),
            spread_values({5}, 3)},
           AttrsView(attrs));
}

TEST_CASE("Convolutions are computed by workgroups", "[webgpu][product]") {
  const WebGpuFixture gpu;
  const cases::AllOnDevice device;
  const ClassGuard hardware(DeviceClass::kHardware);
  const auto [in, out, stride] = GENERATE(table<int, int, int>({{8, 20, 1}, {3, 17, 2}}));
  const ConvAttrs attrs = {.stride_h = stride, .stride_w = stride, .padding = Padding::kSame};
  const Tensor x = spread_values({2, 9, 11, in}, 1);
  const Tensor filter = spread_values({3, 3, in, out}, 2);
  check_op(Op::conv2d, {x, filter, spread_values({out}, 3)}, AttrsView(attrs));
  const ConvGeometry g = conv2d_geometry(x.shape(), filter.shape(), attrs);
  const Tensor dy = spread_values(g.output(), 4);
  check_op(Op::conv2d_backprop_filter, {x, dy}, AttrsView(get_backward_attrs(attrs, filter.shape())));
  check_op(Op::conv2d_transpose, {dy, filter}, AttrsView(get_backward_attrs(attrs, x.shape())));
}

TEST_CASE("Large products are computed by large tiles of registers", "[webgpu][product]") {
  const WebGpuFixture gpu;
  const cases::AllOnDevice device;
  const ClassGuard software(DeviceClass::kSoftware);
  const auto [in, out] = GENERATE(table<int, int>({{64, 68}, {61, 67}}));
  const ConvAttrs attrs = {.padding = Padding::kSame, .activation = Activation::kRelu6};
  check_op(Op::conv2d,
           {spread_values({1, 14, 13, in}, 1), spread_values({3, 2, in, out}, 2), spread_values({out}, 3)},
           AttrsView(attrs));
}

TEST_CASE("Large products of elements are computed by lanes", "[webgpu][product]") {
  const WebGpuFixture gpu;
  const cases::AllOnDevice device;
  const ClassGuard software(DeviceClass::kSoftware);
  SECTION("convolutions with few channels, with and without whole vectors of columns") {
    const int columns = GENERATE(32, 12, 37);
    const ConvAttrs attrs = {
        .stride_h = 2, .stride_w = 2, .padding = Padding::kSame, .activation = Activation::kRelu};
    check_op(Op::conv2d,
             {spread_values({1, 242, 239, 3}, 1), spread_values({3, 3, 3, columns}, 2),
              spread_values({columns}, 3)},
             AttrsView(attrs));
  }
  SECTION("convolutions in groups, with dilation") {
    const ConvAttrs attrs = {.dilation_h = 2, .dilation_w = 2, .padding = Padding::kSame};
    check_op(Op::conv2d, {spread_values({2, 120, 100, 6}, 1), spread_values({3, 3, 3, 40}, 2)},
             AttrsView(attrs));
  }
  SECTION("a transposed matrix") {
    const MatMulAttrs attrs = {.transpose_a = true};
    check_op(Op::mat_mul,
             {spread_values({301, 130}, 1), spread_values({301, 120}, 2), spread_values({120}, 3)},
             AttrsView(attrs));
  }
  SECTION("a batch") {
    check_op(Op::mat_mul, {spread_values({3, 1, 66, 99}, 1), spread_values({2, 99, 132}, 2)},
             AttrsView(MatMulAttrs{}));
  }
  SECTION("chunks of the addends") {
    check_op(Op::mat_mul, {spread_values({6, 20001}, 1), spread_values({20001, 40}, 2)},
             AttrsView(MatMulAttrs{}));
  }
}

TEST_CASE("Lanes apply a chain of ops that was fused into a convolution", "[webgpu][product]") {
  const WebGpuFixture gpu;
  const cases::AllOnDevice device;
  const ClassGuard software(DeviceClass::kSoftware);
  CHECK(count_fused_conv_dispatches({1, 121, 120, 3}, 2) == 1);
}

TEST_CASE("What lies in the padding's place does not reach a product", "[webgpu][product]") {
  const WebGpuFixture gpu;
  const cases::AllOnDevice device;
  const ClassGuard any_class(GENERATE(DeviceClass::kHardware, DeviceClass::kSoftware));
  // Both kernels read the first pixel in place of padding.
  Tensor x = spread_values({1, 6, 6, 8}, 1);
  x.mutable_data<float>()[0] = std::numeric_limits<float>::infinity();
  const Tensor filter = spread_values({3, 3, 8, 16}, 2);
  const Tensor moved = cases::to_device(x);
  const Tensor out = run(Op::conv2d, {&moved, &filter}, AttrsView(ConvAttrs{.padding = Padding::kSame}));
  const auto pixel = [&](int row, int column) { return out.data<float>()[(row * 6 + column) * 16]; };
  CHECK_FALSE(std::isfinite(pixel(1, 1)));
  for (const int edge : {2, 3, 4, 5}) {
    CHECK(std::isfinite(pixel(0, edge)));
    CHECK(std::isfinite(pixel(edge, 5)));
  }
}

TEST_CASE("Windows that reach past an input without padding take zeros there",
          "[webgpu][product][overhang]") {
  const WebGpuFixture gpu;
  const cases::AllOnDevice device;
  const ConvAttrs attrs = {.stride_w = 3, .padding = Padding::kExplicit, .rounding = Rounding::kCeil};
  check_op(Op::conv2d, {spread_values({2, 1, 4, 3}, 1), spread_values({1, 2, 3, 8}, 2)}, AttrsView(attrs));
}

}  // namespace tenure::webgpu
