#pragma once

#include <cstdint>
#include <optional>

#include "core/run/op.h"
#include "webgpu/matmul/matmul_conv.h"

namespace tenure::webgpu {

/// Scope: products run as on a class of devices.
class ClassGuard {
 public:
  explicit ClassGuard(DeviceClass device_class) { override_device_class(device_class); }
  ~ClassGuard() { override_device_class(std::nullopt); }
  ClassGuard(const ClassGuard&) = delete;
  ClassGuard& operator=(const ClassGuard&) = delete;
};

/// Returns values from -1 to 1 that differ for each `seed`.
Tensor spread_values(const Shape& shape, int seed);

/// Compares an op on the device with the CPU's.
void check_op(Op op, const Tensors& inputs, AttrsView attrs);

/// Compares the plan of a 3x3 convolution and a chain of ops with the CPU's. `out` is the output's batch,
/// height and width, and the input's channels. Returns the number of dispatches of a run.
std::uint32_t count_fused_conv_dispatches(const Shape& out, int stride);

}  // namespace tenure::webgpu
