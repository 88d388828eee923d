#pragma once

#include <cstdint>

#include "core/run/op.h"

namespace tenure {

/// Destination of a kernel's output: a tensor that it owns alone, or a region of a plan's arena.
enum class Output { kTensor, kPlaced };

/// Observer of all kernels that run while it is set, including those inside a plan, and of views.
class KernelObserver {
 public:
  KernelObserver() = default;
  KernelObserver(const KernelObserver&) = delete;
  KernelObserver& operator=(const KernelObserver&) = delete;
  virtual ~KernelObserver() = default;
  /// Called before a kernel runs.
  virtual void before() = 0;
  /// Called after a kernel has run, unless it threw.
  virtual void after(Op op, const KernelArgs& args, Output output) = 0;
};

/// Sets the observer that kernels are shown to; null removes it.
void set_observer(KernelObserver* observer);

/// Returns the number of dispatches that devices were given so far, modulo 2^32, by which an observer knows
/// those of a kernel. Devices increment it.
std::uint32_t& dispatch_count();

}  // namespace tenure
