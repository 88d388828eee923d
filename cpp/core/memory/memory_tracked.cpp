#include "core/memory/memory_tracked.h"

#include <utility>

#include "core/heap_sort.h"
#include "core/interruption.h"
#include "core/memory/allocator.h"
#include "core/memory/storage.h"

namespace tenure {
namespace {

constinit MemoryTracked* first_tracked = nullptr;

std::size_t get_bytes(const Storage& storage) {
  return allocated_size(sizeof(Storage)) + storage.block_bytes();
}

}  // namespace

void MemoryReport::add(MemoryPart part, const Storage* storage) {
  storages_.emplace_back(storage, part);
  storage->add_holdings_to(*this, part);
}

void MemoryReport::add_unshared(MemoryPart part, const Storage* storage) {
  add(part, get_bytes(*storage));
  storage->add_holdings_to(*this, part);
}

void MemoryReport::finalize() {
  heap_sort(storages_);
  const Storage* last = nullptr;
  for (const auto& [storage, part] : storages_) {
    if (storage != last) add(part, get_bytes(*storage));
    last = storage;
  }
  storages_.clear();
}

MemoryTracked::MemoryTracked() : next_(first_tracked), made_in_(interruption::call) {
  if (next_) next_->previous_ = this;
  first_tracked = this;
}

MemoryTracked::~MemoryTracked() { unlist(); }

void MemoryTracked::unlist() noexcept {
  const bool is_listed = previous_ || first_tracked == this;
  if (!is_listed) return;
  (previous_ ? previous_->next_ : first_tracked) = next_;
  if (next_) next_->previous_ = previous_;
  previous_ = next_ = nullptr;
}

void repair_tracked_memory() noexcept {
  // The newest come first.
  while (first_tracked && first_tracked->made_in_ == interruption::call) {
    first_tracked = std::exchange(first_tracked->next_, nullptr);
    if (first_tracked) first_tracked->previous_ = nullptr;
  }
  for (MemoryTracked* user = first_tracked; user; user = user->next_) user->repair();
}

void add_tracked_memory(MemoryReport& report) {
  for (const MemoryTracked* user = first_tracked; user; user = user->next_) user->add_to(report);
}

void trim_memory() noexcept {
  for (MemoryTracked* user = first_tracked; user; user = user->next_) user->trim();
  // Last, since memory that the users free goes to the pool.
  trim_allocator();
}

}  // namespace tenure
