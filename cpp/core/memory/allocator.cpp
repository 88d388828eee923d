#include "core/memory/allocator.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <limits>
#include <new>

#include "core/error.h"
#include "core/memory/memory_tracked.h"
#include "core/memory/system_memory.h"
#include "core/run/fault_injection.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TENURE_ADDRESS_SANITIZER
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define TENURE_ADDRESS_SANITIZER
#endif

namespace tenure {
namespace {

constexpr std::size_t kAlignment = 16;
constexpr std::size_t kCacheLine = 64;
constexpr std::size_t kMinLineAlignedBytes = 1024;
constexpr std::size_t kMinBlockBytes = 32;
// Beyond this the difference of two addresses in a block would overflow std::ptrdiff_t.
constexpr std::size_t kMaxBytes = std::numeric_limits<std::ptrdiff_t>::max() - kCacheLine;
#ifdef TENURE_ADDRESS_SANITIZER
// A block in a free list would hide its use after free.
constexpr std::size_t kMaxPooledBytes = 0;
#else
constexpr std::size_t kMaxPooledBytes = (std::size_t{1} << 20) + kCacheLine;
#endif
constexpr std::size_t kPoolBudget = std::size_t{16} << 20;
// Four size classes per octave waste at most a fifth; 32 bytes to 1 MB are 15 octaves.
constexpr int kClassesPerOctave = 4;
constexpr int kClasses = 15 * kClassesPerOctave + 1;
// Larger size classes have one more cache line for the slack behind a tensor: most sizes are powers of two.
constexpr std::size_t kMaxWithoutSlackLine = 896;

struct FreeBlock {
  FreeBlock* next;
};

struct Pool {
  FreeBlock* free[kClasses] = {};
  AllocatorStats stats;
  std::size_t budget = kNoBudget;
};

Pool& pool() {
  static Pool instance;
  return instance;
}

int get_size_class(std::size_t bytes) {
  if (bytes <= kMinBlockBytes) return 0;
  if (bytes > kMaxWithoutSlackLine) bytes = std::max(bytes - kCacheLine, kMaxWithoutSlackLine + 1);
  const int octave = std::bit_width(bytes - 1) - 1;
  const std::size_t step = (std::size_t{1} << octave) / kClassesPerOctave;
  const auto quarter = static_cast<int>((bytes - 1 - (std::size_t{1} << octave)) / step);
  return (octave - 5) * kClassesPerOctave + quarter + 1;
}

std::size_t get_class_bytes(int index) {
  if (index == 0) return kMinBlockBytes;
  const int octave = 5 + (index - 1) / kClassesPerOctave;
  const std::size_t base = std::size_t{1} << octave;
  const std::size_t size =
      base + base / kClassesPerOctave * static_cast<std::size_t>((index - 1) % kClassesPerOctave + 1);
  return size > kMaxWithoutSlackLine ? size + kCacheLine : size;
}

std::size_t aligned(std::size_t bytes, std::size_t to) { return (bytes + to - 1) / to * to; }

bool pooled(std::size_t bytes) { return bytes <= kMaxPooledBytes && kMaxPooledBytes > 0; }

// Larger blocks begin at a cache line: 64-byte rows of a kernel would straddle two otherwise, which cost the
// tiled transposition a quarter of its speed at 1024 x 1024.
std::size_t get_alignment(std::size_t capacity) {
  return capacity >= kMinLineAlignedBytes ? kCacheLine : kAlignment;
}

// A multiple of the alignment, as aligned_alloc() requires.
std::size_t get_capacity(std::size_t bytes) {
  const std::size_t capacity =
      pooled(bytes) ? get_class_bytes(get_size_class(bytes)) : std::max<std::size_t>(bytes, 1);
  return aligned(capacity, get_alignment(capacity));
}

[[noreturn]] void fail_without_memory(std::size_t bytes) {
  const Pool& p = pool();
  fail_with(ErrorCode::kOutOfMemory,
            text("out of memory: cannot allocate ", bytes, " bytes; ", p.stats.live, " bytes are in use",
                 p.budget == kNoBudget ? "" : text(" of a budget of ", p.budget)));
}

/// Allocates from the system. Returns null if the memory or the budget is exhausted.
void* try_allocate_from_system(std::size_t capacity) {
  const Pool& p = pool();
  const std::size_t taken = p.stats.live + p.stats.pooled;
  if (taken > p.budget || capacity > p.budget - taken) return nullptr;
  return system_allocate(get_alignment(capacity), capacity);
}

void* allocate_from_system(std::size_t capacity) {
  void* block = try_allocate_from_system(capacity);
  if (block) return block;
  trim_memory();
  block = try_allocate_from_system(capacity);
  if (!block) fail_without_memory(capacity);
  return block;
}

[[noreturn]] void fail_beyond_addresses() {
  fail_with(ErrorCode::kOutOfMemory, "out of memory: more is needed than can be addressed");
}

}  // namespace

std::size_t checked_product(std::size_t a, std::size_t b) {
  std::size_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) fail_beyond_addresses();
  return product;
}

std::size_t checked_sum(std::size_t a, std::size_t b) {
  std::size_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) fail_beyond_addresses();
  return sum;
}

void* allocate(std::size_t bytes) {
  fault_injection::allocation();
  if (bytes > kMaxBytes) fail_without_memory(bytes);
  Pool& p = pool();
  const std::size_t capacity = get_capacity(bytes);
  void* block = nullptr;
  if (pooled(bytes)) {
    FreeBlock*& head = p.free[get_size_class(bytes)];
    if (head) {
      block = head;
      head = head->next;
      p.stats.pooled -= capacity;
    }
  }
  if (!block) block = allocate_from_system(capacity);
  p.stats.live += capacity;
  p.stats.blocks += 1;
  p.stats.peak = std::max(p.stats.peak, p.stats.live);
  return block;
}

void deallocate(void* block, std::size_t bytes) noexcept {
  Pool& p = pool();
  const std::size_t capacity = get_capacity(bytes);
  p.stats.live -= capacity;
  p.stats.blocks -= 1;
  if (pooled(bytes) && p.stats.pooled + capacity <= kPoolBudget) {
    FreeBlock*& head = p.free[get_size_class(bytes)];
    head = new (block) FreeBlock{head};
    p.stats.pooled += capacity;
    return;
  }
  std::free(block);
}

void trim_allocator() noexcept {
  Pool& p = pool();
  for (int index = 0; index < kClasses; ++index) {
    const std::size_t size = get_class_bytes(index);
    const std::size_t capacity = aligned(size, get_alignment(size));
    while (FreeBlock* const block = p.free[index]) {
      // Updated for each block: an interruption may fall between two.
      p.free[index] = block->next;
      p.stats.pooled -= capacity;
      std::free(block);
    }
  }
}

AllocatorStats allocator_stats() { return pool().stats; }

std::size_t allocated_size(std::size_t bytes) { return get_capacity(bytes); }

void set_memory_budget(std::size_t bytes) {
  Pool& p = pool();
  p.budget = bytes;
  if (p.stats.live + p.stats.pooled > bytes) trim_memory();
}

std::size_t memory_budget() { return pool().budget; }

}  // namespace tenure
