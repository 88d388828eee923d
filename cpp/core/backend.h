#pragma once

#include <array>
#include <string_view>

#include "core/op.h"

namespace tenure {

/// A device that computes: one kernel for each primitive op, null where it has none.
struct Backend {
  std::string_view name;
  std::array<KernelFn, kPrimitiveCount> kernels;
  /// Of a device with memory of its own: whether it can hold such a tensor now. Null for the CPU.
  bool (*can_hold)(const TensorSpec&) = nullptr;
};

/// The backend that has a kernel for every op. Defined in cpu/backend.cpp.
const Backend& cpu_backend();

}  // namespace tenure
