#pragma once

#include <span>
#include <vector>

#include "model/graph/graph.h"
#include "model/graph/views.h"
#include "model/plan/arena.h"

namespace tenure {

/// What a step of a plan reads and makes.
struct StepValues {
  std::span<const ValueId> inputs;
  ValueId output;
  /// A bit for each input that the output may lie over: elements are written once, after those in their place
  /// were read.
  std::uint64_t overwrites = 0;
};

/// The blocks of an arena, and which of them each root lies in; -1 for what lies elsewhere. Times are indices
/// of steps.
struct ArenaBlocks {
  std::vector<Lifetime> lifetimes;
  std::vector<int> of_root;
};

/// Finds the blocks of the roots that are to lie in the arena. An output takes the block of an input that no
/// later step reads, where it may.
ArenaBlocks find_blocks(const Graph& graph, std::span<const StepValues> steps,
                        const std::vector<Place>& places, const std::vector<bool>& in_arena);

}  // namespace tenure
