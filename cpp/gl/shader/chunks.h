#pragma once

#include <algorithm>

namespace tenure::gl {

/// A long sum that is parted where there are too few outputs to keep a device busy: chunks are summed up side
/// by side, and their sums then.
struct Chunks {
  /// Sums of `length` each, `sums` of them; `wanted` are to be worked on at a time.
  Chunks(int length, std::size_t sums, std::size_t wanted) {
    constexpr int kLeastLength = 64;
    const int most = std::max(1, length / kLeastLength);
    const int parts = std::clamp(static_cast<int>(wanted / std::min(sums, wanted)), 1, most);
    share = (length + parts - 1) / parts;
    count = (length + share - 1) / share;
  }
  int share;  ///< of the length, of one chunk
  int count;
};

}  // namespace tenure::gl
