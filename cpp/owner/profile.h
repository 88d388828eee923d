#pragma once

#include <cstdint>
#include <vector>

#include "core/memory/transfer_stats.h"
#include "core/run/kernel_observer.h"

namespace tenure {

/// Fields of a kernel's record. They are followed by the rank and the extents of each input and of the
/// output; a missing input has rank -1.
enum ProfileField : std::int32_t {
  kOp,
  kMicroseconds,
  kBytesAdded,  ///< by a tensor allocated for the output, or -1
  kTensors,     ///< number alive after it
  kTotalBytes,
  kUploads,
  kDownloads,
  kBytesCrossed,
  kFallbacks,
  kFirstDispatch,  ///< dispatch_count() before it
  kDispatches,
  kShapes,
  kProfileFields,
};

/// Profile of the kernels that run while it exists: their inputs and outputs, the time they took, and the
/// transfers between the CPU and a device meanwhile.
class Profile final : public KernelObserver {
 public:
  Profile() { set_observer(this); }
  ~Profile() override { set_observer(nullptr); }

  void before() override;
  void after(Op op, const KernelArgs& args, Output output) override;
  /// Returns the records since the last call, concatenated. Valid until the next call.
  const std::vector<std::int32_t>& take();

 private:
  std::vector<std::int32_t> entries_;
  std::vector<std::int32_t> taken_;
  double start_ = 0;
  std::uint32_t first_dispatch_ = 0;
  TransferStats stats_before_;
};

}  // namespace tenure
