#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace tenure {

class Storage;

/// Purpose of memory. A buffer that several parts hold counts in the first of them.
enum class MemoryPart : unsigned char {
  kWeights,    ///< models' weights, constants that their plans folded, and what kernels packed of both
  kTensors,    ///< buffers behind one live handle
  kViews,      ///< buffers that several handles share
  kPipelines,  ///< buffers held only by data pipelines, ahead of their consumers
  kTape,       ///< buffers held only by a tape, for its gradients
  kPinned,     ///< buffers held only by a read in flight
};
constexpr std::size_t kMemoryParts = static_cast<std::size_t>(MemoryPart::kPinned) + 1;

/// Bytes of a device's memory: in use by tensors, and free but kept for reuse.
struct DeviceMemoryUsage {
  std::size_t used = 0;
  std::size_t pooled = 0;
};

/// Memory totals by part: buffers, each counted once, and the memory of devices.
class MemoryReport {
 public:
  /// Adds a buffer, and those that it keeps alive. The same buffer may be added again.
  void add(MemoryPart part, const Storage* storage);
  /// Adds bytes that nothing else adds.
  void add(MemoryPart part, std::size_t bytes) { bytes_[static_cast<std::size_t>(part)] += bytes; }
  /// Adds the memory of a device.
  void add_device(const DeviceMemoryUsage& usage) {
    device_.used += usage.used;
    device_.pooled += usage.pooled;
  }

  /// Adds a buffer that nothing else adds. Needs no list to deduplicate, which is faster for many tensors.
  void add_unshared(MemoryPart part, const Storage* storage);

  /// Counts each of the buffers once, in the first of their parts. Must be called when all are added.
  void finalize();
  std::size_t bytes(MemoryPart part) const { return bytes_[static_cast<std::size_t>(part)]; }
  /// Returns the bytes of all parts.
  std::size_t bytes() const { return std::accumulate(bytes_.begin(), bytes_.end(), std::size_t{0}); }
  /// Returns the bytes in use on devices.
  std::size_t device_bytes() const { return device_.used; }
  /// Returns the bytes on devices that are free but kept for reuse.
  std::size_t pooled_device_bytes() const { return device_.pooled; }

 private:
  std::array<std::size_t, kMemoryParts> bytes_{};
  std::vector<std::pair<const Storage*, MemoryPart>> storages_;
  DeviceMemoryUsage device_;
};

/// An object that holds memory for longer than a call, such as a model or a device's context. Registered
/// while it lives.
class MemoryTracked {
 public:
  MemoryTracked();
  MemoryTracked(const MemoryTracked&) = delete;
  MemoryTracked& operator=(const MemoryTracked&) = delete;
  virtual ~MemoryTracked();

  /// Adds the memory that it holds to `report`.
  virtual void add_to(MemoryReport& report) const = 0;
  /// Frees caches that are not in use at this moment, which may be in the middle of a kernel.
  virtual void trim() noexcept {}
  /// Releases what an interrupted raw call has left in it.
  virtual void repair() noexcept {}

 protected:
  /// Removes it from the list of users. Destructors of classes that have members must call it first: an
  /// interruption may leave them half-destroyed.
  void unlist() noexcept;

 private:
  friend void add_tracked_memory(MemoryReport& report);
  friend void trim_memory() noexcept;
  friend void repair_tracked_memory() noexcept;
  MemoryTracked* previous_ = nullptr;
  MemoryTracked* next_ = nullptr;
  std::uint32_t made_in_;  ///< number of the raw call that created it
};

/// Adds what every MemoryTracked holds to `report`.
void add_tracked_memory(MemoryReport& report);
/// Removes the users that an interrupted raw call created, which may be half-constructed or on its dead stack
/// frames, and repairs the others.
void repair_tracked_memory() noexcept;
/// Trims every MemoryTracked, and returns the allocator's pool to the system.
void trim_memory() noexcept;

}  // namespace tenure
