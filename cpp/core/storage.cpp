#include "core/storage.h"

#include <algorithm>
#include <new>

#include "core/allocator.h"

namespace tenure {

Storage* Storage::make() { return new (tenure::allocate(sizeof(Storage))) Storage(); }

StoragePtr Storage::deferred(std::size_t bytes) {
  StoragePtr storage(make());
  storage->bytes_ = bytes;
  return storage;
}

StoragePtr Storage::allocate(std::size_t bytes) {
  StoragePtr storage = deferred(bytes);
  storage->fetch();
  return storage;
}

StoragePtr Storage::view(void* data, std::size_t bytes, StoragePtr owner) {
  StoragePtr storage(make());
  storage->data_ = storage->block_ = data;
  storage->bytes_ = bytes;
  storage->owner_ = std::move(owner);
  return storage;
}

void Storage::fetch() const {
  // Should the sum wrap, the number alone is already more than any allocator gives.
  if (!block_) block_ = tenure::allocate(std::max(bytes_, bytes_ + kSlack));
  if (device_) device_->download(block_);
  data_ = block_;
}

void Storage::move_to(std::unique_ptr<DeviceMemory> memory) {
  device_ = std::move(memory);
  data_ = nullptr;
  if (owner_ || !block_) return;
  deallocate(block_, bytes_ + kSlack);
  block_ = nullptr;
}

void Storage::release() {
  if (!owner_ && block_) deallocate(block_, bytes_ + kSlack);
  this->~Storage();
  deallocate(this, sizeof(Storage));
}

}  // namespace tenure
