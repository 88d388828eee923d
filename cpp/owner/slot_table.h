#pragma once

#include <cstdint>
#include <vector>

#include "core/interruption.h"

namespace tenure {

/// Unique id of an object for JavaScript, never reused: a slot in the low bits and its generation above, in
/// 53 bits, which a JavaScript number holds exactly. 0 is never valid.
using Id = std::uint64_t;

/// Limits of a SlotTable; smaller in tests.
struct SlotLimits {
  std::uint32_t slots = 1U << 26;
  /// Number of generations of a slot. A generation has 27 bits, of which the first 64 values are unused.
  std::uint32_t generations = (1U << 27) - 64;
  /// Number of freed slots in quarantine: the oldest is reused only when there are more.
  std::uint32_t quarantine = 1024;
};

/// A table of slots under ids that are never reused: a slot is reused under its next generation, and retired
/// after its last one. `Slot` must have `generation`, `next` and `alive`. Slot 0 is unused, so that 0 ends
/// lists.
template <class Slot>
class SlotTable {
 public:
  explicit SlotTable(SlotLimits limits = {}) : limits_(limits) {}

  Slot& operator[](std::uint32_t index) { return slots_[index]; }
  const Slot& operator[](std::uint32_t index) const { return slots_[index]; }
  /// Returns one more than the last slot that was ever used.
  std::uint32_t end() const { return static_cast<std::uint32_t>(slots_.size()); }

  Id get_id(std::uint32_t index) const { return index | Id{slots_[index].generation} << kSlotBits; }
  /// Returns the slot of a live id; 0 for any other number.
  std::uint32_t find(Id id) const {
    const auto index = static_cast<std::uint32_t>(id & kSlotMask);
    if (index >= slots_.size()) return 0;
    const Slot& slot = slots_[index];
    return slot.alive && slot.generation == id >> kSlotBits ? index : 0;
  }

  /// Reserves room for `count` more slots, so that taking them does not throw. Returns false if the
  /// table cannot have that many.
  bool reserve(std::size_t count) {
    const std::size_t fresh = limits_.slots - slots_.size();
    if (count > fresh + free_count_) return false;
    const std::size_t wanted = slots_.size() + (count < fresh ? count : fresh);
    if (wanted > slots_.capacity()) {
      const interruption::CriticalSection growth;
      slots_.reserve(wanted > 2 * slots_.capacity() ? wanted : 2 * slots_.capacity());
    }
    return true;
  }
  /// Returns a slot to be used under a new id; 0 if all are in use.
  std::uint32_t take() {
    std::uint32_t index = first_free_;
    const bool is_full = slots_.size() >= limits_.slots;
    if (free_count_ > (is_full ? 0 : limits_.quarantine)) {
      first_free_ = slots_[index].next;
      --free_count_;
    } else {
      if (is_full) return 0;
      index = end();
      append_slot();
    }
    slots_[index].alive = true;
    ++size_;
    return index;
  }
  /// Frees a slot; its id is never valid again.
  void release(std::uint32_t index) {
    Slot& slot = slots_[index];
    slot.alive = false;
    --size_;
    enqueue(index);
  }
  /// Rebuilds the free list and the count of live slots, after a change of the table was interrupted. Every
  /// slot that is not alive advances to its next generation, so that no id is reused.
  void rebuild() {
    first_free_ = last_free_ = 0;
    free_count_ = size_ = 0;
    for (std::uint32_t index = 1; index < end(); ++index) {
      if (slots_[index].alive) {
        ++size_;
      } else if (has_generations(slots_[index])) {
        enqueue(index);
      }
    }
  }
  /// Returns the number of slots in use.
  std::size_t size() const { return size_; }

 private:
  // Out of line: few slots are new.
  [[gnu::noinline]] void append_slot() {
    const interruption::CriticalSection growth;
    slots_.emplace_back().generation = kFirstGeneration;
  }

  static constexpr int kSlotBits = 26;
  static constexpr Id kSlotMask = (Id{1} << kSlotBits) - 1;
  // No id is a small integer to a JavaScript engine, so that all ids are stored in the same way.
  static constexpr std::uint32_t kFirstGeneration = 64;

  bool has_generations(const Slot& slot) const {
    return slot.generation - kFirstGeneration < limits_.generations;
  }
  void enqueue(std::uint32_t index) {
    Slot& slot = slots_[index];
    slot.next = 0;
    ++slot.generation;
    if (!has_generations(slot)) return;
    (free_count_ ? slots_[last_free_].next : first_free_) = index;
    last_free_ = index;
    ++free_count_;
  }

  SlotLimits limits_;
  std::vector<Slot> slots_{1};
  std::uint32_t first_free_ = 0;  // free list (FIFO) through Slot::next
  std::uint32_t last_free_ = 0;
  std::size_t free_count_ = 0;
  std::size_t size_ = 0;
};

}  // namespace tenure
