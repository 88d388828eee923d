#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "core/memory/allocator.h"

namespace tenure::cpu {

/// Uninitialized, 16-byte aligned working memory, freed with this object. Constructors throw
/// Error(kOutOfMemory).
template <class T>
  requires std::is_trivial_v<T>
class Scratch {
 public:
  Scratch() = default;
  explicit Scratch(std::size_t count) : bytes_(get_bytes(count)), data_(static_cast<T*>(allocate(bytes_))) {}
  /// Allocates count * each elements; in wasm, the product may exceed a size_t, which is checked.
  Scratch(std::size_t count, std::size_t each) : Scratch(checked_product(count, each)) {}
  Scratch(Scratch&& other) noexcept
      : bytes_(std::exchange(other.bytes_, 0)), data_(std::exchange(other.data_, nullptr)) {}
  Scratch& operator=(Scratch&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    std::swap(data_, other.data_);
    return *this;
  }
  ~Scratch() {
    if (data_) deallocate(static_cast<void*>(data_), bytes_);
  }

  T* data() { return data_; }
  const T* data() const { return data_; }
  T& operator[](std::size_t i) { return data_[i]; }
  std::size_t size() const { return bytes_ / sizeof(T); }

 private:
  static std::size_t get_bytes(std::size_t count) { return checked_product(count, sizeof(T)); }

  std::size_t bytes_ = 0;
  T* data_ = nullptr;
};

}  // namespace tenure::cpu
