#pragma once

#include <cstddef>

namespace tenure {

/// Statistics of the allocator. `live` bytes are in use and `pooled` bytes cached for later allocations;
/// `peak` is the maximum of `live`. `blocks` counts the blocks in use.
struct AllocatorStats {
  std::size_t live = 0;
  std::size_t pooled = 0;
  std::size_t peak = 0;
  std::size_t blocks = 0;
};

/// Allocates at least `bytes`, aligned to 16 bytes, or to 64 from 1 KB on. Never returns null, not even for
/// 0. Small blocks come from size-class free lists. If memory is exhausted, trims the pool, tries once more,
/// then throws Error(kOutOfMemory).
void* allocate(std::size_t bytes);
/// Frees a block of allocate(bytes); `bytes` must be the same number.
void deallocate(void* block, std::size_t bytes) noexcept;
/// Returns all pooled memory to the system allocator.
void trim_allocator() noexcept;
AllocatorStats allocator_stats();
/// Returns a * b. Throws Error(kOutOfMemory) on overflow: in wasm the sizes of a valid tensor may have a
/// product that no size_t holds.
std::size_t checked_product(std::size_t a, std::size_t b);
/// Returns a + b. Throws Error(kOutOfMemory) on overflow.
std::size_t checked_sum(std::size_t a, std::size_t b);
/// Returns the bytes that a block of allocate(bytes) takes, after rounding up.
std::size_t allocated_size(std::size_t bytes);

/// The memory budget that stands for no limit.
constexpr std::size_t kNoBudget = ~std::size_t{0};

/// Sets a limit on what allocate() takes from the system, pools included. If the budget or the memory is
/// exhausted, everything that can be freed is freed, and the request is tried once more before
/// Error(kOutOfMemory). A budget below what is in use applies from the next request on.
void set_memory_budget(std::size_t bytes);
std::size_t memory_budget();

}  // namespace tenure
