#pragma once

#include <cstddef>
#include <utility>

#include "core/run/op.h"

namespace tenure {

/// How often values went between the CPU and a device, and kernels that the device lacks ran on the CPU.
struct Crossings {
  std::size_t uploads = 0;
  std::size_t downloads = 0;
  std::size_t bytes = 0;
  std::size_t fallbacks = 0;
};

/// Those of the op that runs; outside ops, those of reads by the user. To be counted up.
Crossings& crossings();
const Crossings& crossings_of(Op op);
Crossings total_crossings();

/// Until the end of the block, crossings count for `op`.
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
