#include "core/memory/storage.h"

#include <algorithm>
#include <new>

#include "core/error.h"
#include "core/memory/allocator.h"
#include "core/memory/memory_tracked.h"
#include "core/memory/transfer_stats.h"

namespace tenure {
namespace {

ScopedMaterialization* scoped_materialization = nullptr;

}  // namespace

Storage* Storage::make() { return new (tenure::allocate(sizeof(Storage))) Storage(); }

StoragePtr Storage::deferred(std::size_t bytes) {
  StoragePtr storage(make());
  storage->bytes_ = bytes;
  return storage;
}

StoragePtr Storage::packed(std::size_t bytes, std::unique_ptr<DeferredData> source) {
  StoragePtr storage = deferred(bytes);
  storage->packed_ = std::move(source);
  storage->state_ = State::kDeferred;
  return storage;
}

StoragePtr Storage::allocate(std::size_t bytes) {
  StoragePtr storage = deferred(bytes);
  storage->fetch();
  return storage;
}

StoragePtr Storage::adopt(void* block, std::size_t bytes) {
  try {
    return with_block(block, bytes, {});
  } catch (...) {
    deallocate(block, std::max(bytes, bytes + kSlack));
    throw;
  }
}

StoragePtr Storage::view(void* data, std::size_t bytes, StoragePtr owner) {
  return with_block(data, bytes, std::move(owner));
}

StoragePtr Storage::with_block(void* block, std::size_t bytes, StoragePtr owner) {
  StoragePtr storage = deferred(bytes);
  storage->block_ = block;
  storage->owner_ = std::move(owner);
  storage->state_ = State::kHost;
  return storage;
}

void* Storage::fetch() const try {
  // If the sum wraps, bytes_ alone exceeds what any allocator returns.
  if (!block_) block_ = tenure::allocate(std::max(bytes_, bytes_ + kSlack));
  if (state_ == State::kDeferred) {
    unpack();
  } else {
    if (state_ == State::kDevice) {
      device_->download(block_);
      ++transfer_stats().downloads;
      transfer_stats().bytes += bytes_;
    }
    state_ = State::kHost;
  }
  return block_;
} catch (const Error& error) {
  rethrow_with_op(error, packed_ ? packed_->op_name() : std::string_view());
}

void Storage::unpack() const {
  if (scoped_materialization) {
    auto* self = const_cast<Storage*>(this);
    ++self->references_;
    scoped_materialization->unpacked_.push_back(StoragePtr(self));
  }
  packed_->unpack(block_);
  state_ = State::kMaterialized;
  if (!scoped_materialization) drop_source();
}

ScopedMaterialization::ScopedMaterialization() : outer_(std::exchange(scoped_materialization, this)) {}
ScopedMaterialization::~ScopedMaterialization() {
  scoped_materialization = outer_;
  for (const StoragePtr& storage : unpacked_) storage->evict();
}

void repair_scoped_materialization() noexcept { scoped_materialization = nullptr; }

void Storage::evict() {
  if (!packed_) return;
  free_block();
  state_ = State::kDeferred;
}

StoragePtr Storage::replace_layout(std::unique_ptr<DeferredData> form) {
  StoragePtr bytes = with_block(block_, bytes_, owner_);
  block_ = nullptr;
  owner_ = {};
  packed_ = std::move(form);
  state_ = State::kDeferred;
  return bytes;
}

void Storage::materialize() {
  if (!packed_) return;
  data();
  drop_source();
}

std::size_t Storage::bytes_on_cpu() const {
  const std::size_t unpacked = !has_data() ? 0 : owner_ ? bytes_ : allocated_size(bytes_ + kSlack);
  return unpacked + (packed_ ? packed_->bytes() : 0);
}

std::size_t Storage::block_bytes() const { return block_ && !owner_ ? allocated_size(bytes_ + kSlack) : 0; }

void Storage::add_holdings_to(MemoryReport& report, MemoryPart part) const {
  if (owner_) report.add(part, owner_.get());
  if (packed_) packed_->add_to(report, part);
  if (device_) device_->add_to(report, part);
}

void Storage::move_to(std::unique_ptr<DeviceMemory> memory) {
  device_ = std::move(memory);
  packed_.reset();
  state_ = State::kDevice;
  free_block();
}

void Storage::free_block() {
  if (!owner_ && block_) deallocate(std::exchange(block_, nullptr), bytes_ + kSlack);
}

void Storage::release() {
  free_block();
  this->~Storage();
  deallocate(this, sizeof(Storage));
}

}  // namespace tenure
