#include "ops/cases/device_checks.h"
#include "ops/cases/gradient_checks.h"
#include "webgpu/fixture.h"

namespace tenure::webgpu {

namespace {

bool is_structural(const cases::OpCase& c) { return op_def(c.op).kind == OpKind::kStructural; }

}  // namespace

TEST_CASE("Structural ops give on WebGPU what they give on the CPU", "[webgpu][cases]") {
  const WebGpuFixture gpu;
  const cases::AllOnDevice device;
  cases::check_device_cases(is_structural);
}

TEST_CASE("Elementwise ops give on WebGPU what they give on the CPU", "[webgpu][cases]") {
  const WebGpuFixture gpu;
  const cases::AllOnDevice device;
  cases::check_device_cases([](const cases::OpCase& c) { return !is_structural(c); });
}

TEST_CASE("Gradients of elementwise rows are those of their expressions on WebGPU",
          "[webgpu][cases][gradient]") {
  const WebGpuFixture gpu;
  const cases::AllOnDevice device;
  cases::check_elementwise_gradients([](const Tensor& x) { return cases::to_device(x); }, 1e-4);
  cases::check_broadcast_gradients([](const Tensor& x) { return cases::to_device(x); }, 5e-5);
}

TEST_CASE("Gradients on WebGPU are those of the CPU, twice over", "[webgpu][cases][gradient]") {
  const WebGpuFixture gpu;
  const cases::AllOnDevice device;
  cases::check_device_gradients();
}

}  // namespace tenure::webgpu
