#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace tenure {

class Account;
class Storage;
enum class MemoryPart : unsigned char;

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

/// A copy of a storage's bytes in a device's memory.
class DeviceMemory {
 public:
  DeviceMemory() = default;
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;
  virtual ~DeviceMemory() = default;
  /// Writes the storage's bytes to `to`; throws Error(kContextLost) when the device has lost them.
  virtual void download(void* to) = 0;
  /// What the copy takes on the device.
  virtual std::size_t bytes() const = 0;
  virtual bool lost() const = 0;
};

/// Bytes in another form: weights in fewer bits or in the order of a kernel, ops that are not computed yet.
class PackedBytes {
 public:
  PackedBytes() = default;
  PackedBytes(const PackedBytes&) = delete;
  PackedBytes& operator=(const PackedBytes&) = delete;
  virtual ~PackedBytes() = default;
  virtual void unpack(void* to) const = 0;
  /// Bytes of this form, without those of tensors that others hold too.
  virtual std::size_t bytes() const = 0;
  /// The op that is to make the bytes, as users call it; empty for bytes that no op makes.
  virtual std::string_view op_name() const { return {}; }
  /// Adds all storages that this form keeps alive.
  virtual void add_to(Account& account, MemoryPart part) const = 0;
  /// The address of the class's own kForm, where others want to know it by that; null otherwise.
  virtual const char* form() const { return nullptr; }
};

/// The bytes behind one or more tensors: on the CPU, on a device, or the same on both.
class Storage {
 public:
  static constexpr std::size_t kSlack = 16;

  /// Uninitialised, 16-byte aligned; kSlack bytes past the end may be read, so that vector loops need no
  /// short loads. Throws Error(kOutOfMemory) when memory ends.
  static StoragePtr allocate(std::size_t bytes);
  /// Takes over a block of tenure::allocate(bytes + kSlack).
  static StoragePtr adopt(void* block, std::size_t bytes);
  /// A window into memory that `owner` keeps alive (a plan's arena, a model's weights), with the same slack
  /// behind it.
  static StoragePtr view(void* data, std::size_t bytes, StoragePtr owner);
  /// Bytes that get a place when somebody first writes them, here or on a device.
  static StoragePtr deferred(std::size_t bytes);
  /// Bytes that are unpacked when somebody reads them: for good, but for where a BriefUnpacking lives.
  static StoragePtr packed(std::size_t bytes, std::unique_ptr<PackedBytes> source);

  /// The bytes on the CPU, unpacked or fetched from the device when they are only there.
  void* data() const {
    if (!data_) [[unlikely]]
      fetch();
    return data_;
  }
  /// Likewise, to be written: a device's copy is dropped.
  void* mutable_data() {
    void* bytes = data();
    if (device_ || packed_) [[unlikely]] {
      device_.reset();
      packed_.reset();
    }
    return bytes;
  }
  /// Whether the bytes are to be had without a device.
  bool on_cpu() const { return data_ || packed_; }
  bool only_on_device() const { return device_ && !on_cpu(); }
  bool is_packed() const { return static_cast<bool>(packed_); }
  bool has_source(const PackedBytes* source) const { return packed_.get() == source; }
  /// The form that the bytes are in, where it is this one; else null.
  template <class Form>
  const Form* packed_as() const {
    return packed_ && packed_->form() == &Form::kForm ? static_cast<const Form*>(packed_.get()) : nullptr;
  }
  /// Whether repack() may be called: not where bytes are on a device, or are read in place.
  bool can_be_repacked() const { return data_ && !device_ && !is_read_in_place_; }
  /// Puts a form in the place of the bytes, and of any other form, and gives the bytes in a storage of their
  /// own: the form may be made where they lie. It must be whole before anybody reads this storage.
  StoragePtr repack(std::unique_ptr<PackedBytes> form);
  /// Somebody reads the bytes where they lie, again and again: they are unpacked for good.
  void read_in_place() {
    is_read_in_place_ = true;
    keep_unpacked();
  }
  /// Keeps the unpacked bytes in the place of the packed ones, also while a BriefUnpacking lives.
  void keep_unpacked();
  /// Lets go of what a BriefUnpacking has unpacked, before its end; nobody may hold a pointer to it.
  void forget_unpacked();
  /// bytes(), or, while they are packed, what that form takes.
  std::size_t held_bytes() const { return packed_ && !data_ ? packed_->bytes() : bytes_; }
  /// What the bytes take from the allocator, in whatever form.
  std::size_t bytes_on_cpu() const;
  /// What its own block takes from the allocator; 0 for a view, whose bytes are its owner's.
  std::size_t block_bytes() const;
  /// True if it keeps other storages alive: the owner of its bytes, or those of another form.
  bool has_holdings() const { return owner_ || packed_; }
  /// Adds the storages that this one keeps alive.
  void add_holdings_to(Account& account, MemoryPart part) const;
  /// The device's copy; null when there is none.
  DeviceMemory* device() const { return device_.get(); }
  /// Keeps a device's copy of the bytes on the CPU, or lets go of it.
  void set_copy(std::unique_ptr<DeviceMemory> copy) { device_ = std::move(copy); }
  /// The bytes are from now on those in `memory`, and not on the CPU.
  void move_to(std::unique_ptr<DeviceMemory> memory);
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
  void fetch() const;
  void unpack() const;

  // Null while the bytes on the CPU are not valid; block_ is their place whether they are or not.
  mutable void* data_ = nullptr;
  mutable void* block_ = nullptr;
  mutable std::unique_ptr<PackedBytes> packed_;
  bool is_read_in_place_ = false;
  std::size_t bytes_ = 0;
  std::uint32_t references_ = 1;
  std::uint32_t handles_ = 0;
  StoragePtr owner_;
  std::unique_ptr<DeviceMemory> device_;
};

/// For those who read packed bytes once, to make something of them: what is unpacked while it lives is packed
/// again at its end, unless somebody has kept it. They must be destroyed in the reverse of the order in which
/// they were made.
class BriefUnpacking {
 public:
  BriefUnpacking();
  BriefUnpacking(const BriefUnpacking&) = delete;
  BriefUnpacking& operator=(const BriefUnpacking&) = delete;
  ~BriefUnpacking();

 private:
  friend class Storage;
  BriefUnpacking* outer_;
  std::vector<StoragePtr> unpacked_;
};

/// After a raw call that was cut short: none lives any more.
void repair_brief_unpacking() noexcept;

inline StoragePtr::StoragePtr(const StoragePtr& other) : storage_(other.storage_) {
  if (storage_) ++storage_->references_;
}
inline StoragePtr::~StoragePtr() {
  if (storage_ && --storage_->references_ == 0) storage_->release();
}

}  // namespace tenure
