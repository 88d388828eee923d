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
  return allocated_size(sizeof(Storage)) + storage.bytes_on_cpu();
}

}  // namespace

void Account::add(MemoryPart part, const Storage* storage) {
  if (storage->references() == 1) {
    add(part, bytes_of(*storage));
  } else {
    shared_.emplace_back(storage, part);
  }
}

void Account::settle() {
  heap_sort(shared_);
  const Storage* last = nullptr;
  for (const auto& [storage, part] : shared_) {
    if (storage != last) add(part, bytes_of(*storage));
    last = storage;
  }
  shared_.clear();
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
