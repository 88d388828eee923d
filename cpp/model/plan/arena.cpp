#include "model/plan/arena.h"

#include <algorithm>
#include <numeric>

#include "core/heap_sort.h"
#include "core/memory/allocator.h"
#include "core/memory/storage.h"

namespace tenure {
namespace {

constexpr std::size_t kAlignment = 16;

/// Each of these blocks is compared with all earlier ones: 4096 take a few hundredths of a second.
constexpr std::size_t kMaxCompared = 4096;

std::size_t padded(std::size_t bytes) {
  return checked_sum(bytes, Storage::kSlack + kAlignment - 1) / kAlignment * kAlignment;
}

/// Returns the offset of block `i` beside the blocks `placed`, which are sorted by offset. Out of line: a
/// JavaScript engine re-optimises functions with hot loops, at the same time as the first kernels.
[[gnu::noinline]] std::size_t find_offset(std::size_t i, std::span<const Lifetime> blocks,
                                          std::span<const std::size_t> placed,
                                          std::span<const std::size_t> offsets) {
  const Lifetime& block = blocks[i];
  const std::size_t size = padded(block.bytes);
  std::size_t end = 0;  // end of the blocks visited so far
  std::size_t best = 0;
  std::size_t best_gap = 0;
  for (const std::size_t other : placed) {
    if (blocks[other].last < block.first || blocks[other].first > block.last) continue;
    const std::size_t start = offsets[other];
    if (start > end && start - end >= size && (best_gap == 0 || start - end < best_gap)) {
      best = end;
      best_gap = start - end;
    }
    end = std::max(end, start + padded(blocks[other].bytes));
  }
  return best_gap > 0 ? best : end;
}

[[gnu::noinline]] void sort_by(int Lifetime::* step, std::vector<std::size_t>& numbers,
                               std::span<const Lifetime> blocks) {
  heap_sort(numbers, [&](std::size_t a, std::size_t b) { return blocks[a].*step < blocks[b].*step; });
}

/// Places blocks of one size behind all earlier blocks. Each reuses the offset of a block that is no longer
/// alive, if there is one.
[[gnu::noinline]] void place_same_size(std::vector<std::size_t> by_first, std::span<const Lifetime> blocks,
                                       ArenaLayout& layout) {
  const std::size_t size = padded(blocks[by_first[0]].bytes);
  std::vector<std::size_t> by_last = by_first;
  sort_by(&Lifetime::first, by_first, blocks);
  sort_by(&Lifetime::last, by_last, blocks);
  std::vector<std::size_t> free;
  auto ended = by_last.begin();
  for (const std::size_t i : by_first) {
    for (; blocks[*ended].last < blocks[i].first; ++ended) free.push_back(layout.offsets[*ended]);
    if (free.empty()) {
      layout.offsets[i] = layout.bytes;
      layout.bytes = checked_sum(layout.bytes, size);
    } else {
      layout.offsets[i] = free.back();
      free.pop_back();
    }
  }
}

}  // namespace

ArenaLayout plan_arena(std::span<const Lifetime> blocks) {
  ArenaLayout layout;
  layout.offsets.resize(blocks.size());
  std::vector<std::size_t> order(blocks.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  heap_sort(order, [&](std::size_t a, std::size_t b) {
    return blocks[a].bytes != blocks[b].bytes ? blocks[a].bytes > blocks[b].bytes : a < b;
  });

  const auto compared = order.begin() + static_cast<std::ptrdiff_t>(std::min(order.size(), kMaxCompared));
  std::vector<std::size_t> placed;  // sorted by offset
  for (const std::size_t i : std::span(order.begin(), compared)) {
    layout.offsets[i] = find_offset(i, blocks, placed, layout.offsets);
    layout.bytes = std::max(layout.bytes, checked_sum(layout.offsets[i], padded(blocks[i].bytes)));
    const auto by_offset = [&](std::size_t a, std::size_t b) {
      return layout.offsets[a] < layout.offsets[b];
    };
    placed.insert(std::upper_bound(placed.begin(), placed.end(), i, by_offset), i);
  }
  for (auto first = compared; first != order.end();) {
    const std::size_t size = padded(blocks[*first].bytes);
    const auto last =
        std::find_if(first, order.end(), [&](std::size_t i) { return padded(blocks[i].bytes) != size; });
    place_same_size({first, last}, blocks, layout);
    first = last;
  }
  return layout;
}

}  // namespace tenure
