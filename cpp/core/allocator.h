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

}  // namespace tenure
