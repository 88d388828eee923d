#include "core/memory/system_memory.h"

#include <cstdlib>

#ifdef __EMSCRIPTEN__

#include <malloc.h>

#include <atomic>
#include <cstdint>

extern "C" void* emmalloc_memalign(std::size_t alignment, std::size_t bytes);
extern "C" void emmalloc_free(void* block);
extern "C" std::size_t emmalloc_free_dynamic_memory();
extern "C" int emmalloc_validate_memory_regions();

namespace tenure {
namespace {

/// Number of open calls of the platform's allocator. Not 0 between calls if one was interrupted.
constinit std::uint32_t open_sections = 0;

/// Scope: the platform's allocator changes its lists. Unlike an interrupted interruption::CriticalSection, an
/// interrupted HeapSection leaves state that can be validated.
class HeapSection {
 public:
  HeapSection() {
    ++open_sections;
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
  ~HeapSection() {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    --open_sections;
  }
  HeapSection(const HeapSection&) = delete;
  HeapSection& operator=(const HeapSection&) = delete;
};

constexpr std::size_t kReserve = std::size_t{256} << 10;
constexpr std::size_t kMinAlignment = 8;
void* reserve = nullptr;

/// Allocates a block of at least `bytes`. emmalloc adds the requested size to a free block's address, and the
/// sum wraps near 4 GB: it returns blocks there that are too small.
void* whole_block(std::size_t alignment, std::size_t bytes) {
  void* block = emmalloc_memalign(alignment, bytes);
  if (!block || malloc_usable_size(block) >= bytes) return block;
  // Freed after the retry, which would return it again otherwise.
  void* other = whole_block(alignment, bytes);
  emmalloc_free(block);
  return other;
}

}  // namespace

void* system_allocate(std::size_t alignment, std::size_t bytes) {
  const HeapSection section;
  if (!reserve) reserve = whole_block(kMinAlignment, kReserve);
  return reserve ? whole_block(alignment, bytes) : nullptr;
}

bool is_system_memory_whole() {
  if (open_sections == 0) return true;
  // emmalloc's own check misses one inconsistency: a free block outside the free lists.
  if (emmalloc_validate_memory_regions() != 0) return false;
  if (static_cast<std::size_t>(mallinfo().fordblks) != emmalloc_free_dynamic_memory()) return false;
  open_sections = 0;
  return true;
}

}  // namespace tenure

// malloc() and free() of all other code: operator new, Embind, Emscripten's own.

extern "C" void* malloc(std::size_t bytes) {
  using namespace tenure;
  const HeapSection section;
  void* block = whole_block(kMinAlignment, bytes);
  if (block || !reserve) return block;
  emmalloc_free(reserve);
  reserve = nullptr;
  return whole_block(kMinAlignment, bytes);
}

extern "C" void free(void* block) {
  const tenure::HeapSection section;
  emmalloc_free(block);
}

#else

namespace tenure {

void* system_allocate(std::size_t alignment, std::size_t bytes) {
  return std::aligned_alloc(alignment, bytes);
}

bool is_system_memory_whole() { return true; }

}  // namespace tenure

#endif
