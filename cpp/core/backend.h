#pragma once

#include <array>
#include <memory>
#include <string_view>

#include "core/op.h"

namespace tenure {

/// A kernel together with what it made beforehand of its op's constant inputs, such as packed weights.
class PreparedKernel {
 public:
  PreparedKernel() = default;
  PreparedKernel(const PreparedKernel&) = delete;
  PreparedKernel& operator=(const PreparedKernel&) = delete;
  virtual ~PreparedKernel() = default;
  /// Does what the op's kernel does, for inputs that are constant where they were.
  virtual void run(const KernelArgs& args) const = 0;
  /// Bytes that it holds.
  virtual std::size_t bytes() const = 0;
};

/// Prepares a kernel for inputs of which only the constant ones have data; null where nothing is gained.
using PrepareFn = std::unique_ptr<PreparedKernel> (*)(Op op, Inputs in, AttrsView attrs);

/// A device that computes: one kernel for each primitive op, null where it has none.
struct Backend {
  std::string_view name;
  std::array<KernelFn, kPrimitiveCount> kernels;
  /// Of a device with memory of its own: whether it can hold such a tensor now. Null for the CPU.
  bool (*can_hold)(const TensorSpec&) = nullptr;
  PrepareFn prepare = nullptr;
};

/// The backend that has a kernel for every op. Defined in cpu/backend.cpp.
const Backend& cpu_backend();

}  // namespace tenure
