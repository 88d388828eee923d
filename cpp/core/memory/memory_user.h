#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace tenure {

class Storage;

/// What memory is for. A buffer that several parts hold counts in the first of them.
enum class MemoryPart : unsigned char {
  kWeights,    ///< models' weights, what their plans folded, and what kernels made of both
  kTensors,    ///< buffers behind one live handle
  kViews,      ///< buffers that several handles share
  kPipelines,  ///< buffers that only data pipelines hold, ahead of their consumers
  kTape,       ///< what a tape alone keeps for its gradients
  kPinned,     ///< what a read in flight alone keeps
};
constexpr std::size_t kMemoryParts = static_cast<std::size_t>(MemoryPart::kPinned) + 1;

/// Collects who holds how much: buffers, each counted once, and textures.
class Account {
 public:
  /// Adds a buffer, and those that it keeps alive. Holders may add the same one again.
  void add(MemoryPart part, const Storage* storage);
  /// Adds bytes that nobody else adds.
  void add(MemoryPart part, std::size_t bytes) { bytes_[static_cast<std::size_t>(part)] += bytes; }
  void add_textures(std::size_t used, std::size_t pooled) {
    textures_ += used;
    pooled_textures_ += pooled;
  }

  /// Adds a buffer that nobody else may add; keeps no list, which is faster for many tensors.
  void add_unshared(MemoryPart part, const Storage* storage);

  /// Counts each of the buffers once, in the first of their parts; to be called when all are added.
  void settle();
  std::size_t bytes(MemoryPart part) const { return bytes_[static_cast<std::size_t>(part)]; }
  /// Of all parts.
  std::size_t bytes() const { return std::accumulate(bytes_.begin(), bytes_.end(), std::size_t{0}); }
  std::size_t textures() const { return textures_; }
  std::size_t pooled_textures() const { return pooled_textures_; }

 private:
  std::array<std::size_t, kMemoryParts> bytes_{};
  std::vector<std::pair<const Storage*, MemoryPart>> storages_;
  std::size_t textures_ = 0;
  std::size_t pooled_textures_ = 0;
};

/// What holds memory for longer than a call: a model, the GPU's context. Known to the engine while it lives.
class MemoryUser {
 public:
  MemoryUser();
  MemoryUser(const MemoryUser&) = delete;
  MemoryUser& operator=(const MemoryUser&) = delete;
  virtual ~MemoryUser();

  virtual void add_to(Account& account) const = 0;
  /// Frees what is kept to be quick and is not in use at this moment, which may be in the middle of a kernel.
  virtual void trim() noexcept {}
  /// Releases what a raw call that was cut short has left in it.
  virtual void repair() noexcept {}

 protected:
  /// Takes it out of the list of users. To be called first by the destructors of classes that have members: a
  /// cut may leave them half-destroyed.
  void unlist() noexcept;

 private:
  friend void add_users_to(Account& account);
  friend void trim_memory() noexcept;
  friend void repair_memory_users() noexcept;
  MemoryUser* previous_ = nullptr;
  MemoryUser* next_ = nullptr;
  std::uint32_t made_in_;  ///< the number of a raw call
};

/// Adds what every MemoryUser holds.
void add_users_to(Account& account);
/// After a raw call that was cut short: forgets the users that it made, which may be half-made or on its dead
/// frames, and repairs the others.
void repair_memory_users() noexcept;
/// Lets every MemoryUser free what it can, and empties the allocator's pool.
void trim_memory() noexcept;

}  // namespace tenure
