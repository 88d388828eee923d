#include "core/system_memory.h"

#include <cstdlib>

#ifdef __EMSCRIPTEN__

#include <malloc.h>

#include "core/interruption.h"

extern "C" void* emmalloc_memalign(std::size_t alignment, std::size_t bytes);
extern "C" void emmalloc_free(void* block);

namespace tenure {
namespace {

using HeapSection = interruption::CriticalSection;

constexpr std::size_t kReserve = std::size_t{256} << 10;
constexpr std::size_t kLeastAlignment = 8;
void* reserve = nullptr;

/// emmalloc adds what it is asked for to a free block's address, and the sum wraps near 4 GB: there it gives
/// blocks that are too small.
void* whole_block(std::size_t alignment, std::size_t bytes) {
  void* block = emmalloc_memalign(alignment, bytes);
  if (!block || malloc_usable_size(block) >= bytes) return block;
  // Freed only then, lest it is the next to be given.
  void* other = whole_block(alignment, bytes);
  emmalloc_free(block);
  return other;
}

}  // namespace

void* system_allocate(std::size_t alignment, std::size_t bytes) {
  const HeapSection section;
  if (!reserve) reserve = whole_block(kLeastAlignment, kReserve);
  return reserve ? whole_block(alignment, bytes) : nullptr;
}

}  // namespace tenure

// What everybody else allocates with: operator new, Embind, Emscripten's own code.

extern "C" void* malloc(std::size_t bytes) {
  using namespace tenure;
  const HeapSection section;
  void* block = whole_block(kLeastAlignment, bytes);
  if (block || !reserve) return block;
  emmalloc_free(reserve);
  reserve = nullptr;
  return whole_block(kLeastAlignment, bytes);
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

}  // namespace tenure

#endif
