#pragma once

#include <cstdint>
#include <vector>

#include "core/crossings.h"
#include "core/kernel_observer.h"

namespace tenure {

/// Writes down each kernel that runs while it is open: what it was given and made, how long it took, and what
/// went between the CPU and a device meanwhile.
class Profile final : public KernelObserver {
 public:
  Profile() { set_observer(this); }
  ~Profile() override { set_observer(nullptr); }

  void before() override;
  void after(Op op, const KernelArgs& args, Output output) override;
  /// The kernels since the last call, for each: op, microseconds, bytes that a tensor of its own takes or -1,
  /// tensors alive, their bytes, uploads, downloads, bytes that crossed, fallbacks, number of shapes, and for
  /// each input and the output rank, extents ...; a missing input has the rank -1. Valid until the next call.
  const std::vector<std::int32_t>& take();

 private:
  std::vector<std::int32_t> entries_;
  std::vector<std::int32_t> taken_;
  double start_ = 0;
  Crossings crossings_;
};

}  // namespace tenure
