#pragma once

#include <span>
#include <vector>

#include "model/graph/graph.h"
#include "model/graph/views.h"
#include "model/plan/arena.h"

namespace tenure {

/// Inputs and output of a step of a plan.
struct StepValues {
  std::span<const ValueId> inputs;
  ValueId output;
  /// Bit i is set if the output may alias input i (donation): each element is written once, after the element
  /// at the same position was read. Inputs from 64 on are never donated.
  std::uint64_t donation_mask = 0;
};

/// The blocks of an arena. `block_index` is the index of a base's block, or -1 if the base is not in the
/// arena. Lifetimes are in indices of steps.
struct ArenaBlocks {
  std::vector<Lifetime> lifetimes;
  std::vector<int> block_index;
};

/// Returns the arena blocks of the bases for which `in_arena` is true. An output reuses the block of an input
/// that no later step reads, if it may alias that input.
ArenaBlocks find_blocks(const Graph& graph, std::span<const StepValues> steps,
                        const std::vector<BufferView>& views, const std::vector<bool>& in_arena);

}  // namespace tenure
