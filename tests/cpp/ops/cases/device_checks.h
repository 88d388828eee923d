#pragma once

#include <functional>

#include "core/run/backend.h"
#include "ops/cases/case.h"

/// Checks of the op cases on a backend with a device, shared by all such backends. The backend must be the
/// current one.
namespace tenure::cases {

/// Scope: runs all ops on the device, whatever their size.
class AllOnDevice {
 public:
  AllOnDevice();
  ~AllOnDevice();
  AllOnDevice(const AllOnDevice&) = delete;
  AllOnDevice& operator=(const AllOnDevice&) = delete;
};

/// Returns a copy that is only on the current backend's device, or `x` if the device does not support it.
Tensor to_device(const Tensor& x);
Tensors to_device(const Tensors& all);

/// Runs the selected cases with their inputs on the device. Compares the results with the CPU's, and checks
/// that ops for which the backend has a kernel do not fall back to the CPU.
void check_device_cases(const std::function<bool(const OpCase&)>& is_selected);

/// Compares the gradients of the small cases, and the gradients of these, with the CPU's, which are compared
/// with finite differences elsewhere.
void check_device_gradients();

}  // namespace tenure::cases
