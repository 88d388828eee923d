#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace tenure {

/// A block of memory that is alive from step `first` to step `last`, both included.
struct Lifetime {
  std::size_t bytes;
  int first;
  int last;
};

/// The byte offset of each block in one allocation of `bytes`.
struct ArenaLayout {
  std::vector<std::size_t> offsets;
  std::size_t bytes = 0;
};

/// Returns offsets at which blocks alive at the same time never overlap. The largest blocks are placed first,
/// each in the smallest gap that fits ("greedy by size", Pisarchyk and Lee 2020). The blocks after the 4096
/// largest reuse only each other's memory, and only within one size, so that the time is not quadratic in
/// their number. Offsets are 16-byte aligned, with Storage::kSlack readable bytes behind each block.
ArenaLayout plan_arena(std::span<const Lifetime> blocks);

}  // namespace tenure
