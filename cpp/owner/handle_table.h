#pragma once

#include <cstdint>
#include <vector>

#include "core/tensor.h"
#include "owner/slot_table.h"

namespace tenure {

/// JavaScript's reference to a tensor. 0 is never valid.
using Handle = Id;
/// Owner of a tensor: the slot of an open scope (see ScopeTree), or one of the constants below.
using OwnerId = std::uint32_t;

/// Owners that are not scopes.
constexpr OwnerId kUnscoped = 0;  ///< created outside any scope, or kept: must be disposed explicitly
constexpr OwnerId kRetained = ~OwnerId{0};  ///< owned by a variable or a model, which disposes it

/// The live tensors, in one linked list per owner, so that emptying an owner takes time proportional to its
/// tensors.
class HandleTable {
 public:
  explicit HandleTable(SlotLimits limits = {}) : slots_(limits) {}
  /// Reserves room for `count` more tensors, so that adding them does not throw. Throws Error(kOutOfMemory)
  /// beyond 2^26 live tensors.
  void reserve(std::size_t count);
  /// Adds a tensor and returns its handle. Throws Error(kOutOfMemory) beyond 2^26 live tensors.
  Handle add(Tensor&& tensor, OwnerId owner);
  Handle add(const Tensor& tensor, OwnerId owner) { return add(Tensor(tensor), owner); }
  /// Returns the tensor, or null if the handle is not alive.
  const Tensor* find(Handle handle) const;
  /// Returns the owner, or kUnscoped if the handle is not alive.
  OwnerId get_owner(Handle handle) const;
  /// Moves a live handle to another owner.
  void set_owner(Handle handle, OwnerId owner);
  /// Marks a live handle as borrowed, until its owner changes.
  void set_borrowed(Handle handle);
  bool is_borrowed(Handle handle) const;
  /// Replaces the tensor behind a live handle.
  void replace(Handle handle, Tensor tensor);
  /// Frees the tensor and its slot. Returns false if the handle was not alive.
  bool remove(Handle handle);
  /// Frees all tensors of an owner. Returns their number.
  std::size_t remove_all(OwnerId owner);

  /// Rebuilds lists and counts from the live slots, after a change of the table was interrupted. Frees
  /// tensors whose owner fails `exists(owner)`, and slots without a tensor.
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
  /// Returns the number of calls of replace(), by which caches of tensors detect changes.
  std::uint64_t replaced() const { return replaced_; }
  /// Returns the number of distinct buffers behind the live handles.
  std::size_t buffers() const { return buffers_; }
  /// Returns the bytes of all live handles; a buffer behind two handles counts twice, as in TensorFlow.js.
  std::size_t bytes() const { return bytes_; }
  /// Calls f(handle, tensor) for each tensor of an owner.
  template <class F>
  void for_each(OwnerId owner, F f) const {
    std::uint32_t index = owner == kRetained ? retained_head_ : owner < heads_.size() ? heads_[owner] : 0;
    for (; index; index = slots_[index].next) {
      f(slots_.get_id(index), slots_[index].tensor);
    }
  }
  /// Calls f(handle, tensor, owner) for live tensors from slot `first` on, until f returns false. Returns the
  /// slot to resume at, 0 at the end.
  template <class F>
  std::uint32_t scan(std::uint32_t first, F f) const {
    for (std::uint32_t index = first; index < slots_.end(); ++index) {
      const Slot& slot = slots_[index];
      if (slot.alive && !f(slots_.get_id(index), slot.tensor, slot.owner)) return index;
    }
    return 0;
  }

 private:
  struct Slot {
    Tensor tensor;
    std::uint32_t generation = 0;
    OwnerId owner = kUnscoped;
    std::uint32_t previous = 0;
    std::uint32_t next = 0;
    bool alive = false;
    bool borrowed = false;
  };

  std::uint32_t& get_head(OwnerId owner);
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
  std::uint32_t retained_head_ = 0;
  std::size_t buffers_ = 0;
  std::size_t bytes_ = 0;
  std::uint64_t replaced_ = 0;
};

}  // namespace tenure
