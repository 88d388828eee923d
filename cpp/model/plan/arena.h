#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace tenure {

/// A block of memory that is needed from step `first` to step `last`, both included.
struct Lifetime {
  std::size_t bytes;
  int first;
  int last;
};

/// Where each block lies in one allocation of `bytes`.
struct ArenaLayout {
  std::vector<std::size_t> offsets;
  std::size_t bytes = 0;
};

/// Places blocks so that those alive at the same time never overlap: the largest first, each in the smallest
/// gap that takes it ("greedy by size", Pisarchyk and Lee 2020). Of thousands, the small ones take the places
/// of others of their size alone, so that the time does not grow with the square of their number. Offsets are
/// 16-byte aligned, with Storage::kSlack readable bytes behind each block.
ArenaLayout plan_arena(std::span<const Lifetime> blocks);

}  // namespace tenure
