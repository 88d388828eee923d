#pragma once

#include <algorithm>

namespace tenure {

/// A split-K of long sums, for too few outputs to occupy the device: chunks are summed in parallel, and their
/// sums then.
struct SplitK {
  /// Splits `sums` sums of `length` addends each, so that about `wanted` chunks run in parallel.
  SplitK(int length, std::size_t sums, std::size_t wanted) {
    constexpr int kMinLength = 64;
    const int max_parts = std::max(1, length / kMinLength);
    const int parts = std::clamp(static_cast<int>(wanted / std::min(sums, wanted)), 1, max_parts);
    share = (length + parts - 1) / parts;
    count = (length + share - 1) / share;
  }
  int share;  ///< addends of one chunk
  int count;
};

}  // namespace tenure
