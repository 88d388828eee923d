#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/interruption.h"

namespace tenure {

/// A table of objects under numbers of 30 bits, never negative: a slot in the low bits and its generation
/// above. The number of a removed object does not become that of another one: a slot is used again under its
/// next generation, and retired after its last one. `Pointer` owns an object, and is null for none.
template <class Pointer, int kSlotBits = 20>
class NumberTable {
 public:
  /// Adds an object. Returns its number. Throws if there are 2^kSlotBits objects.
  int add(Pointer object) {
    std::size_t index = 0;
    while (index < slots_.size() && !slots_[index].is_free()) ++index;
    check(index >> kSlotBits == 0, "more objects than can be numbered");
    if (index == slots_.size()) interruption::append(slots_, Slot());
    slots_[index].object = std::move(object);
    return slots_[index].generation << kSlotBits | static_cast<int>(index);
  }
  /// Returns the object with this number, or null if there is none.
  Pointer* find(int number) {
    const auto index = static_cast<std::size_t>(number & ((1 << kSlotBits) - 1));
    if (number < 0 || index >= slots_.size()) return nullptr;
    Slot& slot = slots_[index];
    return slot.object && slot.generation == number >> kSlotBits ? &slot.object : nullptr;
  }
  const Pointer* find(int number) const { return const_cast<NumberTable*>(this)->find(number); }
  /// Removes and returns the object with this number; returns null if there is none. The caller frees the
  /// object when it is off the table, as that takes long and may be interrupted.
  [[nodiscard]] Pointer remove(int number) {
    Pointer* const found = find(number);
    if (!found) return {};
    ++slots_[static_cast<std::size_t>(number & ((1 << kSlotBits) - 1))].generation;
    return std::exchange(*found, nullptr);
  }
  /// Calls `visit` for every object.
  template <class F>
  void for_each(const F& visit) const {
    for (const Slot& slot : slots_) {
      if (slot.object) visit(slot.object);
    }
  }

 private:
  struct Slot {
    bool is_free() const { return !object && generation >> (30 - kSlotBits) == 0; }
    Pointer object = nullptr;
    int generation = 0;
  };
  std::vector<Slot> slots_;
};

}  // namespace tenure
