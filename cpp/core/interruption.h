#pragma once

#include <atomic>
#include <cstdint>

/// JavaScript may interrupt a raw call in its middle, at the head of a loop or of a function: by a time limit
/// of node:vm, or by a stack overflow. No destructor and no catch handler runs then. The next call repairs
/// the state that the interrupted one left. State that cannot be repaired is changed only in critical
/// sections: an engine that was interrupted in one refuses all calls.
namespace tenure::interruption {

/// Number of the current raw call, or of the last one.
inline constinit std::uint32_t call = 0;

/// Number of open critical sections. Not 0 between two calls if one was interrupted inside a section.
inline constinit std::uint32_t open_sections = 0;

/// Scope: the state that is changed inside is consistent only at its end.
class CriticalSection {
 public:
  CriticalSection() {
    ++open_sections;
    // An interruption is like a signal: the compiler must not move the changes out of the section.
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
  ~CriticalSection() {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    --open_sections;
  }
  CriticalSection(const CriticalSection&) = delete;
  CriticalSection& operator=(const CriticalSection&) = delete;
};

/// Appends to a list that outlives the call. A critical section, since growing moves the elements.
template <class List, class Item>
void append(List& list, Item&& item) {
  const CriticalSection growth;
  list.push_back(static_cast<Item&&>(item));
}

}  // namespace tenure::interruption
