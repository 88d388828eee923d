#include "owner/handle_table.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "owner/ledger.h"

namespace tenure {

std::uint32_t& HandleTable::get_head(OwnerId owner) {
  if (owner == kRetained) return retained_head_;
  if (owner >= heads_.size()) heads_.resize(owner + 1, 0);
  return heads_[owner];
}

void HandleTable::link(std::uint32_t index, OwnerId owner) {
  std::uint32_t& head = get_head(owner);
  Slot& slot = slots_[index];
  slot.owner = owner;
  slot.borrowed = false;
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
    get_head(slot.owner) = slot.next;
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
  if (!slots_.reserve(count)) fail_full();
}

void HandleTable::fail_full() const {
  fail_with(ErrorCode::kOutOfMemory, text(size(), " tensors are alive, which is the maximum"));
}

Handle HandleTable::add(Tensor&& tensor, OwnerId owner) {
  // May throw, so it precedes all changes.
  get_head(owner);
  const std::uint32_t index = slots_.take();
  if (!index) fail_full();
  Slot& slot = slots_[index];
  slot.tensor = std::move(tensor);
  link(index, owner);
  count_in(slot.tensor);
  const Handle handle = slots_.get_id(index);
  ledger::born(handle, owner, slot.tensor);
  return handle;
}

const Tensor* HandleTable::find(Handle handle) const {
  const std::uint32_t index = slots_.find(handle);
  return index ? &slots_[index].tensor : nullptr;
}

OwnerId HandleTable::get_owner(Handle handle) const {
  const std::uint32_t index = slots_.find(handle);
  return index ? slots_[index].owner : kUnscoped;
}

void HandleTable::set_owner(Handle handle, OwnerId owner) {
  const std::uint32_t index = slots_.find(handle);
  if (!index) return;
  unlink(index);
  link(index, owner);
  ledger::moved(handle, owner);
}

void HandleTable::set_borrowed(Handle handle) {
  if (const std::uint32_t index = slots_.find(handle)) slots_[index].borrowed = true;
}

bool HandleTable::is_borrowed(Handle handle) const {
  const std::uint32_t index = slots_.find(handle);
  return index && slots_[index].borrowed;
}

void HandleTable::replace(Handle handle, Tensor tensor) {
  const std::uint32_t index = slots_.find(handle);
  if (!index) return;
  Slot& slot = slots_[index];
  count_in(tensor);
  count_out(slot.tensor);
  slot.tensor = std::move(tensor);
  ++replaced_;
}

bool HandleTable::remove(Handle handle) {
  const std::uint32_t index = slots_.find(handle);
  if (!index) return false;
  unlink(index);
  free_slot(index);
  return true;
}

std::size_t HandleTable::remove_all(OwnerId owner) {
  std::size_t count = 0;
  std::uint32_t index = std::exchange(get_head(owner), 0);
  while (index) {
    const std::uint32_t next = slots_[index].next;
    free_slot(index);
    index = next;
    ++count;
  }
  return count;
}

void HandleTable::clear_slot(std::uint32_t index) {
  Slot& slot = slots_[index];
  if (slot.alive) ledger::died(slots_.get_id(index));
  slot.alive = false;
  if (slot.tensor.storage()) slot.tensor.storage()->handles() = 0;
  slot.tensor = Tensor();
}

void HandleTable::relink() {
  slots_.rebuild();
  std::ranges::fill(heads_, 0);
  retained_head_ = 0;
  bytes_ = buffers_ = 0;
  for (std::uint32_t index = 1; index < slots_.end(); ++index) {
    if (slots_[index].alive) slots_[index].tensor.storage()->handles() = 0;
  }
  for (std::uint32_t index = 1; index < slots_.end(); ++index) {
    Slot& slot = slots_[index];
    if (!slot.alive) continue;
    const bool borrowed = slot.borrowed;
    link(index, slot.owner);
    slot.borrowed = borrowed;
    count_in(slot.tensor);
  }
}

void HandleTable::free_slot(std::uint32_t index) {
  Slot& slot = slots_[index];
  ledger::died(slots_.get_id(index));
  count_out(slot.tensor);
  slot.tensor = Tensor();
  slots_.release(index);
}

}  // namespace tenure
