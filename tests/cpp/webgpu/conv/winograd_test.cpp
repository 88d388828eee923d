#include "core/run/kernel_observer.h"
#include "ops/cases/device_checks.h"
#include "webgpu/fixture.h"
#include "webgpu/product_checks.h"

namespace tenure::webgpu {

TEST_CASE("Convolutions of 3x3 pixels are computed by Winograd's algorithm", "[webgpu][product]") {
  const WebGpuFixture gpu;
  const cases::AllOnDevice device;
  const ClassGuard software(DeviceClass::kSoftware);
  const auto [height, width] = GENERATE(table<int, int>({{14, 13}, {7, 10}, {3, 4}}));
  const Padding padding = GENERATE(Padding::kSame, Padding::kValid);
  const ConvAttrs attrs = {.padding = padding, .activation = Activation::kRelu6};
  const std::uint32_t dispatches = dispatch_count();
  check_op(
      Op::conv2d,
      {spread_values({3, height, width, 32}, 1), spread_values({3, 3, 32, 36}, 2), spread_values({36}, 3)},
      AttrsView(attrs));
  CHECK(dispatch_count() == dispatches + 4);
}

TEST_CASE("Winograd's algorithm applies a chain of ops that was fused into a convolution",
          "[webgpu][product]") {
  const WebGpuFixture gpu;
  const cases::AllOnDevice device;
  const ClassGuard software(DeviceClass::kSoftware);
  CHECK(count_fused_conv_dispatches({1, 12, 15, 32}, 1) == 4);
}

}  // namespace tenure::webgpu
