#pragma once

#include <cstddef>
#include <utility>

#include "core/run/op.h"

namespace tenure {

/// Numbers of uploads and downloads between the CPU and a device, their bytes, and the number of kernels that
/// ran on the CPU because the device lacks them.
struct TransferStats {
  std::size_t uploads = 0;
  std::size_t downloads = 0;
  std::size_t bytes = 0;
  std::size_t fallbacks = 0;
};

/// Returns the counters of the op that runs; outside ops, those of reads by the user. Callers increment them.
TransferStats& transfer_stats();
/// Returns the counters of `op`.
const TransferStats& get_transfer_stats(Op op);
/// Returns the sums over all ops, and over reads by the user.
TransferStats total_transfer_stats();

/// Scope: counts transfers for `op`.
class TransferScope {
 public:
  explicit TransferScope(Op op);
  ~TransferScope();
  TransferScope(const TransferScope&) = delete;
  TransferScope& operator=(const TransferScope&) = delete;

 private:
  Op previous_;
};

}  // namespace tenure
