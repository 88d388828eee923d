#pragma once

#include "core/memory/allocator.h"
#include "core/memory/memory_user.h"
#include "owner/ownership.h"

namespace tenure {

/// Where the engine's memory is, in bytes as they are allocated: with what rounding and bookkeeping add.
struct MemoryReport {
  Account account;
  AllocatorStats allocator;

  /// All that the allocator has from the system.
  std::size_t heap_used() const { return allocator.live + allocator.pooled; }
  /// What no part of the account holds: working memory of plans and kernels, and files that are being read.
  std::size_t scratch() const;
};

/// Walks all handles and all that holds memory, so that nothing has to be counted while ops run.
MemoryReport report_memory(const Ownership& ownership);

}  // namespace tenure
