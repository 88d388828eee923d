#pragma once

#include "core/run/op.h"

namespace tenure {

/// Whose output a kernel wrote: a tensor of its own, or a place in a plan's arena.
enum class Output { kTensor, kPlaced };

/// Is told of each kernel that runs while it is set, also of those inside a plan and of views.
class KernelObserver {
 public:
  KernelObserver() = default;
  KernelObserver(const KernelObserver&) = delete;
  KernelObserver& operator=(const KernelObserver&) = delete;
  virtual ~KernelObserver() = default;
  virtual void before() = 0;
  /// Not called for a kernel that threw.
  virtual void after(Op op, const KernelArgs& args, Output output) = 0;
};

/// From now on kernels are shown to `observer`; null ends it.
void set_observer(KernelObserver* observer);

}  // namespace tenure
