#pragma once

#include "core/memory/allocator.h"
#include "core/memory/memory_tracked.h"
#include "owner/ownership.h"

namespace tenure {

/// Memory totals of the engine, in bytes as they are allocated, with rounding and bookkeeping.
struct MemorySummary {
  MemoryReport report;
  AllocatorStats allocator;

  /// Returns all bytes that the allocator has taken from the system.
  std::size_t heap_used() const { return allocator.live + allocator.pooled; }
  /// Returns the bytes that no part of the report holds: workspaces of plans and kernels, and files being
  /// read.
  std::size_t scratch() const;
};

/// Returns the memory totals. Walks all handles and all memory users, so that nothing must be counted while
/// ops run.
MemorySummary summarize_memory(const Ownership& ownership);

}  // namespace tenure
