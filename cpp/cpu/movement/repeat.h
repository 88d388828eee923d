#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace tenure::cpu {

/// Repeats the first `bytes` of `block` until there are `count` contiguous copies, the first included.
inline void repeat_block(std::uint8_t* block, std::size_t bytes, std::size_t count) {
  // Doubling keeps the copies long; beyond a cache's size they are long enough.
  constexpr std::size_t kLongEnough = 16384;
  const std::size_t total = bytes * count;
  std::size_t done = bytes;
  while (done < total) {
    const std::size_t whole = done < kLongEnough || bytes >= kLongEnough ? done : kLongEnough / bytes * bytes;
    const std::size_t length = std::min(std::max(whole, bytes), total - done);
    std::memcpy(block + done, block, length);
    done += length;
  }
}

/// Fills `count` elements of `size` bytes with the element at `value`.
[[gnu::noinline]] inline void fill_elements(std::uint8_t* out, const void* value, std::size_t size,
                                            std::size_t count) {
  if (count == 0) return;
  const auto* bytes = static_cast<const std::uint8_t*>(value);
  if (std::all_of(bytes, bytes + size, [&](std::uint8_t byte) { return byte == bytes[0]; })) {
    std::memset(out, bytes[0], size * count);
    return;
  }
  std::memcpy(out, value, size);
  repeat_block(out, size, count);
}

}  // namespace tenure::cpu
