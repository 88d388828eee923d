#include "core/memory/memory_user.h"

#include <utility>

#include "core/heap_sort.h"
#include "core/interruption.h"
#include "core/memory/allocator.h"
#include "core/memory/storage.h"

namespace tenure {
namespace {

constinit MemoryUser* first_user = nullptr;

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

MemoryUser::MemoryUser() : next_(first_user), made_in_(interruption::call) {
  if (next_) next_->previous_ = this;
  first_user = this;
}

MemoryUser::~MemoryUser() { unlist(); }

void MemoryUser::unlist() noexcept {
  const bool is_listed = previous_ || first_user == this;
  if (!is_listed) return;
  (previous_ ? previous_->next_ : first_user) = next_;
  if (next_) next_->previous_ = previous_;
  previous_ = next_ = nullptr;
}

void repair_memory_users() noexcept {
  // The newest come first.
  while (first_user && first_user->made_in_ == interruption::call) {
    first_user = std::exchange(first_user->next_, nullptr);
    if (first_user) first_user->previous_ = nullptr;
  }
  for (MemoryUser* user = first_user; user; user = user->next_) user->repair();
}

void add_users_to(Account& account) {
  for (const MemoryUser* user = first_user; user; user = user->next_) user->add_to(account);
}

void trim_memory() noexcept {
  for (MemoryUser* user = first_user; user; user = user->next_) user->trim();
  // Last, since memory that the users free goes to the pool.
  trim_allocator();
}

}  // namespace tenure
