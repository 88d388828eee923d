#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

namespace tenure {

class Storage;

/// Shared, counted reference to a Storage. Not atomic: tensors belong to one thread; kernels' workers see raw
/// pointers.
class StoragePtr {
 public:
  StoragePtr() = default;
  StoragePtr(const StoragePtr& other);
  StoragePtr(StoragePtr&& other) noexcept : storage_(std::exchange(other.storage_, nullptr)) {}
  StoragePtr& operator=(StoragePtr other) noexcept {
    std::swap(storage_, other.storage_);
    return *this;
  }
  ~StoragePtr();

  Storage* get() const { return storage_; }
  Storage* operator->() const { return storage_; }
  explicit operator bool() const { return storage_ != nullptr; }
  friend bool operator==(const StoragePtr& a, const StoragePtr& b) { return a.storage_ == b.storage_; }

 private:
  friend class Storage;
  explicit StoragePtr(Storage* adopted) : storage_(adopted) {}
  Storage* storage_ = nullptr;
};

/// The bytes behind one or more tensors.
class Storage {
 public:
  static constexpr std::size_t kSlack = 16;

  /// Uninitialised, 16-byte aligned; kSlack bytes past the end may be read, so that vector loops need no
  /// short loads. Throws Error(kOutOfMemory) when memory ends.
  static StoragePtr allocate(std::size_t bytes);
  /// A window into memory that `owner` keeps alive (a plan's arena, a model's weights), with the same slack
  /// behind it.
  static StoragePtr view(void* data, std::size_t bytes, StoragePtr owner);

  void* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }
  std::uint32_t references() const { return references_; }
  /// How many handles see these bytes; counted by owner/.
  std::uint32_t& handles() { return handles_; }

 private:
  friend class StoragePtr;
  Storage() = default;
  ~Storage() = default;
  static Storage* make();
  void release();

  void* data_ = nullptr;
  std::size_t bytes_ = 0;
  std::uint32_t references_ = 1;
  std::uint32_t handles_ = 0;
  StoragePtr owner_;
};

inline StoragePtr::StoragePtr(const StoragePtr& other) : storage_(other.storage_) {
  if (storage_) ++storage_->references_;
}
inline StoragePtr::~StoragePtr() {
  if (storage_ && --storage_->references_ == 0) storage_->release();
}

}  // namespace tenure
