#pragma once

#include <atomic>
#include <cstdint>

/// JavaScript may end a raw call in its middle, at the head of a loop or of a function: by a time limit of
/// node:vm, or where its stack ends. No destructor runs then, and no catch. The next call repairs what the
/// cut one left. What it could not repair is only changed in critical sections: an engine that was cut in one
/// refuses all calls.
namespace tenure::interruption {

/// The number of the raw call at work, or of the last one.
inline constinit std::uint32_t call = 0;

/// The unit of a section in which lists of the engine change.
constexpr std::uint32_t kLists = 1;
/// The unit of a section in which the system's allocator changes its lists, which can be validated.
constexpr std::uint32_t kHeap = 1U << 16;
/// The units of the open sections; not 0 between two calls where one was cut.
inline constinit std::uint32_t open_sections = 0;

/// Scope: what is changed inside is whole only at its end.
template <std::uint32_t kUnit = kLists>
class CriticalSection {
 public:
  CriticalSection() {
    open_sections += kUnit;
    // A cut is like a signal: the compiler may not move the changes out.
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
  ~CriticalSection() {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    open_sections -= kUnit;
  }
  CriticalSection(const CriticalSection&) = delete;
  CriticalSection& operator=(const CriticalSection&) = delete;
};

/// Appends to a list that outlives the call. To grow, it moves its elements.
template <class List, class Item>
void append(List& list, Item&& item) {
  const CriticalSection<> growth;
  list.push_back(static_cast<Item&&>(item));
}

}  // namespace tenure::interruption
