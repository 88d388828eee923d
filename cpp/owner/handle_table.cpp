#include "owner/handle_table.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "owner/ledger.h"

namespace tenure {

const HandleTable::Slot* HandleTable::slot_of(Handle handle) const {
  const std::uint32_t index = handle & kSlotMask;
  if (index >= slots_.size()) return nullptr;
  const Slot& slot = slots_[index];
  return slot.alive && slot.generation == handle >> kSlotBits ? &slot : nullptr;
}

HandleTable::Slot* HandleTable::slot_of(Handle handle) {
  return const_cast<Slot*>(std::as_const(*this).slot_of(handle));
}

std::uint32_t& HandleTable::head_of(OwnerId owner) {
  if (owner == kHolder) return holder_head_;
  if (owner >= heads_.size()) heads_.resize(owner + 1, 0);
  return heads_[owner];
}

void HandleTable::link(std::uint32_t index, OwnerId owner) {
  std::uint32_t& head = head_of(owner);
  Slot& slot = slots_[index];
  slot.owner = owner;
  slot.previous = 0;
  slot.next = head;
  if (head) slots_[head].previous = index;
  head = index;
}

void HandleTable::unlink(std::uint32_t index) {
  const Slot& slot = slots_[index];
  if (slot.previous) {
    slots_[slot.previous].next = slot.next;
  } else {
    head_of(slot.owner) = slot.next;
  }
  if (slot.next) slots_[slot.next].previous = slot.previous;
}

void HandleTable::count_in(const Tensor& tensor) {
  bytes_ += tensor.bytes();
  if (tensor.storage()->handles()++ == 0) ++buffers_;
}

void HandleTable::count_out(const Tensor& tensor) {
  bytes_ -= tensor.bytes();
  if (--tensor.storage()->handles() == 0) --buffers_;
}

void HandleTable::reserve(std::size_t count) {
  const std::size_t fresh = kSlotMask + 1 - slots_.size();
  if (count > fresh + free_count_) fail_full();
  const std::size_t wanted = slots_.size() + std::min(count, fresh);
  if (wanted > slots_.capacity()) slots_.reserve(std::max(wanted, 2 * slots_.capacity()));
}

void HandleTable::fail_full() const {
  fail_with(ErrorCode::kOutOfMemory, text(size_, " tensors are alive, which is as many as can be"));
}

Handle HandleTable::add(Tensor tensor, OwnerId owner) {
  // May throw, so it comes before anything changes.
  head_of(owner);
  std::uint32_t index = 0;
  if (free_count_ > kResting || (free_count_ > 0 && slots_.size() > kSlotMask)) {
    index = first_free_;
    first_free_ = slots_[index].next;
    --free_count_;
  } else {
    if (slots_.size() > kSlotMask) fail_full();
    index = static_cast<std::uint32_t>(slots_.size());
    slots_.emplace_back();
  }
  Slot& slot = slots_[index];
  slot.tensor = std::move(tensor);
  slot.alive = true;
  link(index, owner);
  count_in(slot.tensor);
  ++size_;
  const Handle handle = index | slot.generation << kSlotBits;
  ledger::born(handle, owner, slot.tensor);
  return handle;
}

const Tensor* HandleTable::find(Handle handle) const {
  const Slot* slot = slot_of(handle);
  return slot ? &slot->tensor : nullptr;
}

OwnerId HandleTable::owner_of(Handle handle) const {
  const Slot* slot = slot_of(handle);
  return slot ? slot->owner : kCaller;
}

void HandleTable::set_owner(Handle handle, OwnerId owner) {
  if (!slot_of(handle)) return;
  const std::uint32_t index = handle & kSlotMask;
  unlink(index);
  link(index, owner);
  ledger::moved(handle, owner);
}

void HandleTable::replace(Handle handle, Tensor tensor) {
  Slot* slot = slot_of(handle);
  if (!slot) return;
  count_in(tensor);
  count_out(slot->tensor);
  slot->tensor = std::move(tensor);
}

bool HandleTable::remove(Handle handle) {
  if (!slot_of(handle)) return false;
  const std::uint32_t index = handle & kSlotMask;
  unlink(index);
  free_slot(index);
  return true;
}

std::size_t HandleTable::remove_all(OwnerId owner) {
  std::size_t count = 0;
  std::uint32_t index = std::exchange(head_of(owner), 0);
  while (index) {
    const std::uint32_t next = slots_[index].next;
    free_slot(index);
    index = next;
    ++count;
  }
  return count;
}

void HandleTable::free_slot(std::uint32_t index) {
  Slot& slot = slots_[index];
  ledger::died(index | slot.generation << kSlotBits);
  count_out(slot.tensor);
  slot.tensor = Tensor();
  slot.alive = false;
  slot.generation = slot.generation + 1 == kGenerations ? 1 : slot.generation + 1;
  slot.next = 0;
  if (free_count_ == 0) {
    first_free_ = index;
  } else {
    slots_[last_free_].next = index;
  }
  last_free_ = index;
  ++free_count_;
  --size_;
}

}  // namespace tenure
