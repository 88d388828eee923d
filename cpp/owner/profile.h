#pragma once

#include <cstdint>
#include <vector>

#include "core/memory/crossings.h"
#include "core/run/kernel_observer.h"

namespace tenure {

/// What is written down of a kernel. Behind it stand, for each input and the output, the rank and the
/// extents; a missing input has the rank -1.
enum ProfileField : std::int32_t {
  kOp,
  kMicroseconds,
  kBytesAdded,  ///< by a tensor of its own, or -1
  kTensors,     ///< alive after it
  kTotalBytes,
  kUploads,
  kDownloads,
  kBytesCrossed,
  kFallbacks,
  kShapes,
  kProfileFields,
};

/// Writes down each kernel that runs while it is open: what it was given and made, how long it took, and what
/// went between the CPU and a device meanwhile.
class Profile final : public KernelObserver {
 public:
  Profile() { set_observer(this); }
  ~Profile() override { set_observer(nullptr); }

  void before() override;
  void after(Op op, const KernelArgs& args, Output output) override;
  /// The kernels since the last call, one behind the other. Valid until the next call.
  const std::vector<std::int32_t>& take();

 private:
  std::vector<std::int32_t> entries_;
  std::vector<std::int32_t> taken_;
  double start_ = 0;
  Crossings crossings_;
};

}  // namespace tenure
