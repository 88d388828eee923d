#pragma once

#include "catch.h"
#include "core/tensor.h"
#include "webgpu/device/context.h"

namespace tenure::webgpu {

/// Fixture of tests that need a WebGPU device: starts a context and selects the WebGPU backend until the end
/// of the test, or skips the test with miss(). Checks at the end that all memory is freed, the device's and
/// the CPU's, and that the device reported no error.
class WebGpuFixture {
 public:
  WebGpuFixture();
  ~WebGpuFixture();
  WebGpuFixture(const WebGpuFixture&) = delete;
  WebGpuFixture& operator=(const WebGpuFixture&) = delete;

 private:
  std::size_t live_ = 0;
};

/// Returns a float32 tensor of the values 0, 1, 2 ... divided by 8.
Tensor counted_values(const Shape& shape);

}  // namespace tenure::webgpu
