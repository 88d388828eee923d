#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace tenure {

class Device;
class LazyChain;
class MemoryReport;
class Storage;
enum class MemoryPart : unsigned char;

/// Reference-counted pointer to a Storage. Not atomic: tensors belong to one thread; the workers of kernels
/// get raw pointers.
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

/// A copy of a storage's bytes in a device's memory.
class DeviceMemory {
 public:
  explicit DeviceMemory(const Device& device) : device_(device) {}
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;
  virtual ~DeviceMemory() = default;
  /// Returns the device whose memory it is. Another device's kernels cannot read it.
  const Device& device() const { return device_; }
  /// Writes the storage's bytes to `to`. Throws Error(kContextLost) if the device has lost them.
  virtual void download(void* to) = 0;
  /// Returns the bytes that the copy takes on the device.
  virtual std::size_t bytes() const = 0;
  virtual bool lost() const = 0;
  /// Starts an asynchronous read. The next download() does not wait once is_read_ready() is true. Devices
  /// without asynchronous reads do nothing.
  virtual void start_read() {}
  /// True if download() will not wait, or will throw.
  virtual bool is_read_ready() const { return true; }
  /// Returns the chain that is to compute the bytes; null if they are computed or lost.
  virtual const LazyChain* pending() const { return nullptr; }
  /// Computes bytes that are pending. If they are lost with the device, they are not pending anymore when it
  /// throws.
  virtual void compute() {}
  /// Adds all storages that this memory keeps alive to `report`.
  virtual void add_to(MemoryReport& /*report*/, MemoryPart /*part*/) const {}

 private:
  const Device& device_;
};

/// Data that is materialized when it is read: weights in fewer bits or in a kernel's layout, deferred ops.
class DeferredData {
 public:
  DeferredData() = default;
  DeferredData(const DeferredData&) = delete;
  DeferredData& operator=(const DeferredData&) = delete;
  virtual ~DeferredData() = default;
  /// Writes the bytes to `to`.
  virtual void unpack(void* to) const = 0;
  /// Returns the bytes of this form, without those of tensors that others hold too.
  virtual std::size_t bytes() const = 0;
  /// Returns the name that users call the deferred op by; empty for data that no op computes.
  virtual std::string_view op_name() const { return {}; }
  /// Adds all storages that this form keeps alive to `report`.
  virtual void add_to(MemoryReport& report, MemoryPart part) const = 0;
  /// True if the form takes so much less memory than the bytes that an op which reads these unpacks them only
  /// for as long as it runs.
  virtual bool stays_packed() const { return false; }
  /// Returns the address of the class's kForm, by which packed_as() identifies it; null if nothing does.
  virtual const char* form() const { return nullptr; }
};

/// The bytes behind one or more tensors: on the CPU, on a device, or the same on both.
class Storage {
 public:
  /// Number of bytes behind the data that may be read.
  static constexpr std::size_t kSlack = 16;

  /// Allocates uninitialised bytes, aligned to 16. kSlack bytes past the end may be read, so that vector
  /// loops need no partial loads. Throws Error(kOutOfMemory) if memory is exhausted.
  static StoragePtr allocate(std::size_t bytes);
  /// Takes ownership of a block of tenure::allocate(bytes + kSlack), which it frees if it throws.
  static StoragePtr adopt(void* block, std::size_t bytes);
  /// Returns a window into memory that `owner` keeps alive (a plan's arena, a model's weights), with the same
  /// slack behind it.
  static StoragePtr view(void* data, std::size_t bytes, StoragePtr owner);
  /// Returns a storage whose memory is allocated when it is first written, on the CPU or on a device.
  static StoragePtr deferred(std::size_t bytes);
  /// Returns a storage that unpacks `source` when it is read: for good, or until the end of a
  /// ScopedMaterialization.
  static StoragePtr packed(std::size_t bytes, std::unique_ptr<DeferredData> source);

  /// Returns the bytes on the CPU. Unpacks them, or downloads them from the device, if they are not there.
  void* data() const {
    if (!has_data()) [[unlikely]]
      return fetch();
    return block_;
  }
  /// Returns the bytes on the CPU to be written. Drops the device's copy and the packed form.
  void* mutable_data() {
    void* bytes = data();
    if (device_ || packed_) [[unlikely]] {
      device_.reset();
      drop_source();
    }
    return bytes;
  }
  /// True if the bytes are available without a device.
  bool on_cpu() const { return state_ >= State::kDeferred; }
  /// True if the bytes are available only on a device.
  bool only_on_device() const { return state_ == State::kDevice; }
  /// True if the bytes are available only on `device`.
  bool only_on(const Device& device) const { return only_on_device() && &device_->device() == &device; }
  /// Starts an asynchronous read of bytes that are only on the device. The caller keeps the storage alive.
  /// data() does not wait once is_read_ready() is true.
  void start_read() {
    if (only_on_device()) device_->start_read();
  }
  /// True if data() will not wait for a device. Also true for lost bytes, whose data() throws.
  bool is_read_ready() const { return !only_on_device() || device_->is_read_ready(); }
  bool is_packed() const { return static_cast<bool>(packed_); }
  bool stays_packed() const { return packed_ && packed_->stays_packed(); }
  /// Returns the packed form if it is a Form, else null.
  template <class Form>
  const Form* packed_as() const {
    return packed_ && packed_->form() == &Form::kForm ? static_cast<const Form*>(packed_.get()) : nullptr;
  }
  /// True if replace_layout() may be called: the bytes are on the CPU alone, and not read in place.
  bool can_replace_layout() const { return has_data() && !device_ && !is_pinned_; }
  /// Replaces the bytes, and any packed form, by `form`. Returns the old bytes in a separate storage, whose
  /// memory `form` may reuse. `form` must be complete before this storage is read.
  StoragePtr replace_layout(std::unique_ptr<DeferredData> form);
  /// Replaces the packed form by another one of the same bytes.
  void replace_form(std::unique_ptr<DeferredData> form) { packed_ = std::move(form); }
  /// Unpacks the bytes for good and forbids replace_layout(), since a reader keeps their address.
  void pin() {
    is_pinned_ = true;
    materialize();
  }
  /// Replaces the packed form by the unpacked bytes, even inside a ScopedMaterialization.
  void materialize();
  /// Frees what a ScopedMaterialization has unpacked, before its end. No pointer to the bytes may be in use.
  void evict();
  /// Returns bytes(), or the bytes of the packed form while they are packed.
  std::size_t resident_bytes() const { return state_ == State::kDeferred ? packed_->bytes() : bytes_; }
  /// Returns the bytes taken on the CPU: those of the data, those of the packed form, or both.
  std::size_t bytes_on_cpu() const;
  /// Returns the bytes that its own block takes from the allocator; 0 for a view, whose bytes are its
  /// owner's.
  std::size_t block_bytes() const;
  /// True if the owner of its bytes, or the packed form, may keep other storages alive.
  bool has_holdings() const { return owner_ || packed_; }
  /// Adds the storages that this one keeps alive to `report`.
  void add_holdings_to(MemoryReport& report, MemoryPart part) const;
  /// Returns the device's copy, or null if there is none.
  DeviceMemory* device() const { return device_.get(); }
  /// Returns the copy that kernels of `device` can read, or null: there is none, it is another device's, or
  /// it was lost and the bytes are available without it.
  DeviceMemory* find_copy(const Device& device) const {
    if (!device_ || &device_->device() != &device) return nullptr;
    return device_->lost() && on_cpu() ? nullptr : device_.get();
  }
  /// Sets or, with null, drops the device's copy of the bytes on the CPU.
  void set_copy(std::unique_ptr<DeviceMemory> copy) {
    device_ = std::move(copy);
    if (!on_cpu()) state_ = device_ ? State::kDevice : State::kUnwritten;
  }
  /// Makes `memory` the only copy of the bytes, and frees those on the CPU.
  void move_to(std::unique_ptr<DeviceMemory> memory);
  std::size_t bytes() const { return bytes_; }
  std::uint32_t references() const { return references_; }
  /// Returns the number of handles to these bytes, which owner/ counts.
  std::uint32_t& handles() { return handles_; }

 private:
  friend class StoragePtr;

  /// The place of the valid bytes. In all states from kDeferred on, the device may have a copy of them.
  enum class State : std::uint8_t {
    kUnwritten,     ///< nowhere: the first access allocates the block, uninitialised
    kDevice,        ///< in `device_` alone
    kDeferred,      ///< in `packed_`; reading unpacks them
    kMaterialized,  ///< in `packed_` and, until a ScopedMaterialization ends, in the block
    kHost,          ///< in the block
  };

  Storage() = default;
  ~Storage() = default;
  static Storage* make();
  /// Returns a storage whose bytes are in `block`: its own, or part of the memory of `owner`.
  static StoragePtr with_block(void* block, std::size_t bytes, StoragePtr owner);
  void release();
  bool has_data() const { return state_ >= State::kMaterialized; }
  /// Brings the bytes to the CPU. Returns their address.
  void* fetch() const;
  void unpack() const;
  /// Drops the packed form of unpacked bytes.
  void drop_source() const {
    state_ = State::kHost;
    packed_.reset();
  }
  /// Frees the block, unless it is part of the memory of `owner_`.
  void free_block();

  /// Memory of the bytes on the CPU, valid or not; null if none is allocated.
  mutable void* block_ = nullptr;
  mutable std::unique_ptr<DeferredData> packed_;
  mutable State state_ = State::kUnwritten;
  bool is_pinned_ = false;
  std::size_t bytes_ = 0;
  std::uint32_t references_ = 1;
  std::uint32_t handles_ = 0;
  /// Storage whose memory the block is part of; null if the block is this storage's own.
  StoragePtr owner_;
  std::unique_ptr<DeviceMemory> device_;
};

/// Scope: data unpacked inside is dropped at its end, unless it is kept. For readers that need packed bytes
/// only once. Scopes must nest (LIFO).
class ScopedMaterialization {
 public:
  ScopedMaterialization();
  ScopedMaterialization(const ScopedMaterialization&) = delete;
  ScopedMaterialization& operator=(const ScopedMaterialization&) = delete;
  ~ScopedMaterialization();

 private:
  friend class Storage;
  ScopedMaterialization* outer_;
  std::vector<StoragePtr> unpacked_;
};

/// Resets the innermost ScopedMaterialization to none, after a raw call was interrupted.
void repair_scoped_materialization() noexcept;

inline StoragePtr::StoragePtr(const StoragePtr& other) : storage_(other.storage_) {
  if (storage_) ++storage_->references_;
}
inline StoragePtr::~StoragePtr() {
  if (storage_ && --storage_->references_ == 0) storage_->release();
}

}  // namespace tenure
