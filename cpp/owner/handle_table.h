#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/tensor.h"

namespace tenure {

/// What JavaScript holds instead of a tensor: 20 bits of slot, 11 of generation. 0 is never a tensor's.
using Handle = std::uint32_t;
/// Whose list a tensor is in: the slot of an open scope (see ScopeTree), or one of those below.
using OwnerId = std::uint32_t;

/// Owners that are not scopes.
constexpr OwnerId kCaller = 0;            ///< made outside any scope, or kept: whoever called must dispose it
constexpr OwnerId kHolder = ~OwnerId{0};  ///< a variable or a model, which disposes it with itself

/// Slots of live tensors. A slot is used again only after many others (its generation then differs), so that
/// a stale handle is told from a new one; tensors of one owner form a list, so that an owner is emptied in
/// its own time.
class HandleTable {
 public:
  /// Makes room for so many more, so that adding them does not throw.
  void reserve(std::size_t count);
  /// Takes the tensor in; throws Error(kOutOfMemory) beyond 2^20 live tensors.
  Handle add(Tensor tensor, OwnerId owner);
  /// Null for a handle that is not alive.
  const Tensor* find(Handle handle) const;
  OwnerId owner_of(Handle handle) const;
  void set_owner(Handle handle, OwnerId owner);
  /// Puts another value behind a live handle.
  void replace(Handle handle, Tensor tensor);
  /// Frees the slot; false if it was not alive.
  bool remove(Handle handle);
  /// Frees every tensor of an owner; gives their number.
  std::size_t remove_all(OwnerId owner);

  std::size_t size() const { return size_; }
  /// Distinct buffers behind the live handles.
  std::size_t buffers() const { return buffers_; }
  /// Bytes of all live handles; a buffer seen through two handles counts twice, as in TensorFlow.js.
  std::size_t bytes() const { return bytes_; }
  /// Calls f(handle, tensor) for each tensor of an owner.
  template <class F>
  void for_each(OwnerId owner, F f) const {
    std::uint32_t index = owner == kHolder ? holder_head_ : owner < heads_.size() ? heads_[owner] : 0;
    for (; index; index = slots_[index].next) {
      f(index | slots_[index].generation << kSlotBits, slots_[index].tensor);
    }
  }
  /// Calls f(handle, tensor, owner) for live tensors from the slot `first` on, until f gives false; gives the
  /// slot to go on with, 0 at the end.
  template <class F>
  std::uint32_t scan(std::uint32_t first, F f) const {
    for (std::uint32_t index = first; index < slots_.size(); ++index) {
      const Slot& slot = slots_[index];
      if (slot.alive && !f(index | slot.generation << kSlotBits, slot.tensor, slot.owner)) return index;
    }
    return 0;
  }

 private:
  static constexpr int kSlotBits = 20;
  static constexpr std::uint32_t kSlotMask = (1U << kSlotBits) - 1;
  static constexpr std::uint32_t kGenerations = 1U << 11;
  /// So many slots rest before the one freed first is used again.
  static constexpr std::size_t kResting = 1024;

  struct Slot {
    Tensor tensor;
    std::uint32_t generation = 1;
    OwnerId owner = kCaller;
    std::uint32_t previous = 0;
    std::uint32_t next = 0;
    bool alive = false;
  };

  const Slot* slot_of(Handle handle) const;
  Slot* slot_of(Handle handle);
  std::uint32_t& head_of(OwnerId owner);
  void link(std::uint32_t index, OwnerId owner);
  void unlink(std::uint32_t index);
  void count_in(const Tensor& tensor);
  void count_out(const Tensor& tensor);
  void free_slot(std::uint32_t index);
  [[noreturn]] void fail_full() const;

  std::vector<Slot> slots_{1};  // slot 0 stays unused: it ends the lists
  std::vector<std::uint32_t> heads_;
  std::uint32_t holder_head_ = 0;
  std::uint32_t first_free_ = 0;  // a queue through Slot::next
  std::uint32_t last_free_ = 0;
  std::size_t free_count_ = 0;
  std::size_t size_ = 0;
  std::size_t buffers_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace tenure
