#include "core/storage.h"

#include <algorithm>
#include <new>

#include "core/allocator.h"

namespace tenure {

Storage* Storage::make() { return new (tenure::allocate(sizeof(Storage))) Storage(); }

StoragePtr Storage::allocate(std::size_t bytes) {
  StoragePtr storage(make());
  // Should the sum wrap, the number alone is already more than any allocator gives.
  storage->data_ = tenure::allocate(std::max(bytes, bytes + kSlack));
  storage->bytes_ = bytes;
  return storage;
}

StoragePtr Storage::view(void* data, std::size_t bytes, StoragePtr owner) {
  StoragePtr storage(make());
  storage->data_ = data;
  storage->bytes_ = bytes;
  storage->owner_ = std::move(owner);
  return storage;
}

void Storage::release() {
  if (!owner_ && data_) deallocate(data_, bytes_ + kSlack);
  this->~Storage();
  deallocate(this, sizeof(Storage));
}

}  // namespace tenure
