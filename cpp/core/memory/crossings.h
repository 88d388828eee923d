#pragma once

#include <cstddef>
#include <utility>

#include "core/run/op.h"

namespace tenure {

/// Numbers of uploads and downloads between the CPU and a device, their bytes, and the number of kernels that
/// ran on the CPU because the device lacks them.
struct Crossings {
  std::size_t uploads = 0;
  std::size_t downloads = 0;
  std::size_t bytes = 0;
  std::size_t fallbacks = 0;
};

/// Returns the counters of the op that runs; outside ops, those of reads by the user. Callers increment them.
Crossings& crossings();
/// Returns the counters of `op`.
const Crossings& crossings_of(Op op);
/// Returns the sums over all ops, and over reads by the user.
Crossings total_crossings();

/// Scope: counts transfers for `op`.
class CrossingScope {
 public:
  explicit CrossingScope(Op op);
  ~CrossingScope();
  CrossingScope(const CrossingScope&) = delete;
  CrossingScope& operator=(const CrossingScope&) = delete;

 private:
  Op previous_;
};

}  // namespace tenure
