#pragma once

#include <cstddef>

namespace tenure {

/// Where the engine's memory is, in bytes. `live` is in use, `pooled` is kept for the next allocation.
struct AllocatorStats {
  std::size_t live = 0;
  std::size_t pooled = 0;
  std::size_t peak = 0;
  std::size_t blocks = 0;
};

/// Aligned memory (16 bytes; 64 from 1 KB on) of at least `bytes` (never null, even for 0). Small blocks come
/// from size-class free lists. When memory ends: trims the pool, tries once more, then throws
/// Error(kOutOfMemory).
void* allocate(std::size_t bytes);
/// Gives back what allocate(bytes) returned; `bytes` must be the same number.
void deallocate(void* block, std::size_t bytes) noexcept;
/// Returns all pooled memory to the system allocator.
void trim_allocator() noexcept;
AllocatorStats allocator_stats();
/// a * b. In wasm a valid tensor's sizes may have a product that no size_t holds: throws Error(kOutOfMemory)
/// then, as for any memory that there cannot be.
std::size_t checked_product(std::size_t a, std::size_t b);
/// Likewise a + b.
std::size_t checked_sum(std::size_t a, std::size_t b);
/// What a block of allocate(bytes) takes, rounded up as it is.
std::size_t allocated_size(std::size_t bytes);

/// Stands for no budget.
constexpr std::size_t kNoBudget = ~std::size_t{0};

/// A bound on what allocate() has taken from the system, pools included. Where it, or the memory itself,
/// ends: everything that can be freed is, and the request is tried once more before Error(kOutOfMemory). A
/// budget below what is in use is kept from the next request on.
void set_memory_budget(std::size_t bytes);
std::size_t memory_budget();

}  // namespace tenure
