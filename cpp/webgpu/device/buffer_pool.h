#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "webgpu/device/platform.h"

namespace tenure::webgpu {

class BufferPool;

/// Fate of a buffer that its last user returns.
enum class BufferEnd : std::uint8_t {
  kReuse,    ///< it is kept for other tensors
  kDestroy,  ///< it is destroyed: the program knows it, and must not see other tensors in it
  kForget,   ///< nothing: the program created it, and destroys it
};

/// A storage buffer on loan from a pool. The destructor returns it.
class Buffer {
 public:
  Buffer(std::shared_ptr<BufferPool> pool, platform::ObjectHandle id, std::size_t bytes, unsigned batch,
         BufferEnd end = BufferEnd::kReuse)
      : pool_(std::move(pool)), id_(id), bytes_(bytes), batch_(batch), end_(end) {}
  Buffer(Buffer&&) noexcept = default;
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer();
  platform::ObjectHandle id() const { return id_; }
  /// Returns the size of the buffer, a multiple of 16 that is at least what was asked for.
  std::size_t bytes() const { return bytes_; }
  /// Returns the number of the batch of commands that was recorded when its last user returned it
  /// (Context::batch()); 0 for a new buffer.
  unsigned batch() const { return batch_; }
  BufferEnd end() const { return end_; }
  /// True if its device is gone, and its elements with it.
  bool lost() const;
  /// True if its device is gone because there was no memory for a buffer.
  bool lost_for_memory() const;

 private:
  std::shared_ptr<BufferPool> pool_;
  platform::ObjectHandle id_;
  std::size_t bytes_;
  unsigned batch_;
  BufferEnd end_;
};

/// The storage buffers of one device. Free buffers are kept for reuse, up to a budget in bytes; the least
/// recently used are destroyed first.
class BufferPool : public std::enable_shared_from_this<BufferPool> {
 public:
  static constexpr std::size_t kDefaultBudget = std::size_t{64} << 20;

  /// Bytes and number of buffers, in use and free.
  struct Stats {
    std::size_t used_bytes = 0;
    std::size_t free_bytes = 0;
    std::size_t used = 0;
    std::size_t free = 0;
  };

  explicit BufferPool(std::size_t max_bytes) : max_bytes_(max_bytes) {}

  /// Returns a buffer of at least `bytes` bytes with unspecified elements. Sizes are rounded up to one of
  /// eight classes an octave. Throws Error(kOutOfMemory) if the device has no buffers of that size.
  Buffer take(std::size_t bytes);
  /// Returns a new buffer of `bytes` bytes, rounded up to a multiple of 16, that the program may use too.
  /// Throws Error(kOutOfMemory) as take() does.
  Buffer take_shared(std::size_t bytes);
  /// Returns a buffer that the program created, a multiple of 16 bytes long.
  Buffer borrow(platform::ObjectHandle id, std::size_t bytes);
  /// Destroys all free buffers.
  void trim() { shrink_to(0); }
  /// Sets the maximum number of bytes in free buffers, and destroys those beyond it.
  void set_budget(std::size_t bytes);
  /// Marks all buffers as lost, for a device that is lost, possibly for lack of memory, or about to end.
  void abandon(bool out_of_memory = false);
  bool abandoned() const { return abandoned_; }
  bool out_of_memory() const { return out_of_memory_; }
  const Stats& stats() const { return stats_; }

 private:
  friend class Buffer;
  struct Free {
    platform::ObjectHandle id;
    std::size_t bytes;
    unsigned batch;
  };
  /// Creates a buffer; if that is refused, trims the pool and retries. Throws Error(kOutOfMemory) if it is
  /// refused again.
  platform::ObjectHandle create(std::size_t bytes, platform::BufferUse use);
  void release(const Buffer& buffer);
  void shrink_to(std::size_t bytes);

  std::vector<Free> free_;  // least recently used first
  Stats stats_;
  std::size_t max_bytes_;
  std::size_t budget_ = kDefaultBudget;
  bool abandoned_ = false;
  bool out_of_memory_ = false;
};

}  // namespace tenure::webgpu
