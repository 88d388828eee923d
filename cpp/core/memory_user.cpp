#include "core/memory_user.h"

#include <algorithm>

#include "core/allocator.h"
#include "core/heap_sort.h"
#include "core/storage.h"

namespace tenure {
namespace {

MemoryUser*& first_user() {
  static MemoryUser* first = nullptr;
  return first;
}

std::size_t bytes_of(const Storage& storage) {
  return allocated_size(sizeof(Storage)) + storage.block_bytes();
}

}  // namespace

void Account::add(MemoryPart part, const Storage* storage) {
  storages_.emplace_back(storage, part);
  storage->add_holdings_to(*this, part);
}

void Account::add_unshared(MemoryPart part, const Storage* storage) {
  add(part, bytes_of(*storage));
  storage->add_holdings_to(*this, part);
}

void Account::settle() {
  heap_sort(storages_);
  const Storage* last = nullptr;
  for (const auto& [storage, part] : storages_) {
    if (storage != last) add(part, bytes_of(*storage));
    last = storage;
  }
  storages_.clear();
}

MemoryUser::MemoryUser() : next_(first_user()) {
  if (next_) next_->previous_ = this;
  first_user() = this;
}

MemoryUser::~MemoryUser() {
  (previous_ ? previous_->next_ : first_user()) = next_;
  if (next_) next_->previous_ = previous_;
}

void add_users_to(Account& account) {
  for (const MemoryUser* user = first_user(); user; user = user->next_) user->add_to(account);
}

void trim_memory() noexcept {
  for (MemoryUser* user = first_user(); user; user = user->next_) user->trim();
  // The last, since what the others free lands in it.
  trim_allocator();
}

}  // namespace tenure
