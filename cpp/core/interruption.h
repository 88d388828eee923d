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

/// How many critical sections are open; not 0 between two calls where one was cut inside.
inline constinit std::uint32_t open_sections = 0;

/// Scope: what is changed inside is whole only at its end.
class CriticalSection {
 public:
  CriticalSection() {
    ++open_sections;
    // A cut is like a signal: the compiler may not move the changes out.
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
  ~CriticalSection() {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    --open_sections;
  }
  CriticalSection(const CriticalSection&) = delete;
  CriticalSection& operator=(const CriticalSection&) = delete;
};

/// Appends to a list that outlives the call. To grow, it moves its elements.
template <class List, class Item>
void append(List& list, Item&& item) {
  const CriticalSection growth;
  list.push_back(static_cast<Item&&>(item));
}

}  // namespace tenure::interruption
