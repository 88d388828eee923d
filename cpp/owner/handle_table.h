#pragma once

#include <cstdint>
#include <vector>

#include "core/tensor.h"
#include "owner/slot_table.h"

namespace tenure {

/// What JavaScript holds instead of a tensor. 0 is never a tensor's.
using Handle = Id;
/// Whose list a tensor is in: the slot of an open scope (see ScopeTree), or one of those below.
using OwnerId = std::uint32_t;

/// Owners that are not scopes.
constexpr OwnerId kCaller = 0;            ///< made outside any scope, or kept: whoever called must dispose it
constexpr OwnerId kHolder = ~OwnerId{0};  ///< a variable or a model, which disposes it with itself

/// The live tensors. Those of one owner form a list, so that an owner is emptied in its own time.
class HandleTable {
 public:
  explicit HandleTable(SlotLimits limits = {}) : slots_(limits) {}
  /// Makes room for so many more, so that adding them does not throw.
  void reserve(std::size_t count);
  /// Takes the tensor in; throws Error(kOutOfMemory) beyond 2^26 live tensors.
  Handle add(Tensor&& tensor, OwnerId owner);
  Handle add(const Tensor& tensor, OwnerId owner) { return add(Tensor(tensor), owner); }
  /// Null for a handle that is not alive.
  const Tensor* find(Handle handle) const;
  OwnerId owner_of(Handle handle) const;
  void set_owner(Handle handle, OwnerId owner);
  /// Marks a live handle as borrowed, until it gets another owner.
  void set_borrowed(Handle handle);
  bool is_borrowed(Handle handle) const;
  /// Puts another value behind a live handle.
  void replace(Handle handle, Tensor tensor);
  /// Frees the slot; false if it was not alive.
  bool remove(Handle handle);
  /// Frees every tensor of an owner; gives their number.
  std::size_t remove_all(OwnerId owner);

  /// Rebuilds lists and counts from the live slots, after a change of the table was cut in the middle. Frees
  /// tensors whose owner `exists(owner)` denies, and slots that have no tensor.
  template <class F>
  void rebuild(F exists) {
    for (std::uint32_t index = 1; index < slots_.end(); ++index) {
      const Slot& slot = slots_[index];
      const bool stays = slot.alive && slot.tensor.storage() && exists(slot.owner);
      if (!stays) clear_slot(index);
    }
    relink();
  }

  std::size_t size() const { return slots_.size(); }
  /// How often a value was replaced: who keeps values knows by it when to look again.
  std::uint64_t replaced() const { return replaced_; }
  /// Distinct buffers behind the live handles.
  std::size_t buffers() const { return buffers_; }
  /// Bytes of all live handles; a buffer seen through two handles counts twice, as in TensorFlow.js.
  std::size_t bytes() const { return bytes_; }
  /// Calls f(handle, tensor) for each tensor of an owner.
  template <class F>
  void for_each(OwnerId owner, F f) const {
    std::uint32_t index = owner == kHolder ? holder_head_ : owner < heads_.size() ? heads_[owner] : 0;
    for (; index; index = slots_[index].next) {
      f(slots_.id_of(index), slots_[index].tensor);
    }
  }
  /// Calls f(handle, tensor, owner) for live tensors from the slot `first` on, until f gives false; gives the
  /// slot to go on with, 0 at the end.
  template <class F>
  std::uint32_t scan(std::uint32_t first, F f) const {
    for (std::uint32_t index = first; index < slots_.end(); ++index) {
      const Slot& slot = slots_[index];
      if (slot.alive && !f(slots_.id_of(index), slot.tensor, slot.owner)) return index;
    }
    return 0;
  }

 private:
  struct Slot {
    Tensor tensor;
    std::uint32_t generation = 0;
    OwnerId owner = kCaller;
    std::uint32_t previous = 0;
    std::uint32_t next = 0;
    bool alive = false;
    bool borrowed = false;
  };

  std::uint32_t& head_of(OwnerId owner);
  void link(std::uint32_t index, OwnerId owner);
  void unlink(std::uint32_t index);
  void count_in(const Tensor& tensor);
  void count_out(const Tensor& tensor);
  void free_slot(std::uint32_t index);
  void clear_slot(std::uint32_t index);
  void relink();
  [[noreturn]] void fail_full() const;

  SlotTable<Slot> slots_;
  std::vector<std::uint32_t> heads_;
  std::uint32_t holder_head_ = 0;
  std::size_t buffers_ = 0;
  std::size_t bytes_ = 0;
  std::uint64_t replaced_ = 0;
};

}  // namespace tenure
