#include "model/graph/lifetimes.h"

#include <algorithm>

namespace tenure {
namespace {

class BlockFinder {
 public:
  BlockFinder(const Graph& graph, std::span<const StepValues> steps, const std::vector<Place>& places,
              const std::vector<bool>& in_arena)
      : graph_(graph), places_(places), in_arena_(in_arena), last_read_(graph.values.size(), -1) {
    for (std::size_t i = 0; i < steps.size(); ++i) {
      for (const ValueId input : steps[i].inputs) last_read_[root_of(input)] = static_cast<int>(i);
    }
    blocks_.of_root.resize(graph.values.size(), -1);
  }

  // Out of line to keep the loop over all steps small; see model/plan/plan.cpp.
  [[gnu::noinline]] void add(const StepValues& step, int time) {
    for (const ValueId input : step.inputs) {
      const int used = blocks_.of_root[root_of(input)];
      if (used >= 0) blocks_.lifetimes[static_cast<std::size_t>(used)].last = time;
    }
    if (root_of(step.output) != step.output || !in_arena_[step.output]) return;
    const ValueId under = overwritten(step, time);
    int block = under != kNoValue ? blocks_.of_root[under] : -1;
    if (block < 0) {
      block = static_cast<int>(blocks_.lifetimes.size());
      blocks_.lifetimes.push_back({bytes_of(step.output), time, time});
    }
    blocks_.of_root[step.output] = block;
  }

  ArenaBlocks take() { return std::move(blocks_); }

 private:
  ValueId root_of(ValueId id) const { return places_[id].root; }
  std::size_t bytes_of(ValueId id) const { return checked_bytes(graph_.spec(id)); }
  // True if `id` is its whole root and has the byte size and the element size of `output`.
  bool covers(ValueId id, ValueId output) const {
    return places_[id].offset == 0 && bytes_of(id) == bytes_of(output) &&
           bytes_of(root_of(id)) == bytes_of(output) &&
           size_of(graph_.spec(id).dtype) == size_of(graph_.spec(output).dtype);
  }

  /// Returns the root of an input whose block the step's output may reuse, or kNoValue.
  ValueId overwritten(const StepValues& step, int time) const {
    const auto may_overwrite = [&](std::size_t i) {
      return i < 64 && (step.overwrites >> i & 1) != 0 && covers(step.inputs[i], step.output);
    };
    for (std::size_t i = 0; i < step.inputs.size(); ++i) {
      const ValueId root = root_of(step.inputs[i]);
      if (!may_overwrite(i) || !in_arena_[root] || last_read_[root] > time) continue;
      bool is_free = true;
      for (std::size_t j = 0; j < step.inputs.size(); ++j)
        is_free = is_free && (root_of(step.inputs[j]) != root || may_overwrite(j));
      if (is_free) return root;
    }
    return kNoValue;
  }

  const Graph& graph_;
  const std::vector<Place>& places_;
  const std::vector<bool>& in_arena_;
  std::vector<int> last_read_;
  ArenaBlocks blocks_;
};

}  // namespace

ArenaBlocks find_blocks(const Graph& graph, std::span<const StepValues> steps,
                        const std::vector<Place>& places, const std::vector<bool>& in_arena) {
  BlockFinder finder(graph, steps, places, in_arena);
  for (std::size_t i = 0; i < steps.size(); ++i) finder.add(steps[i], static_cast<int>(i));
  return finder.take();
}

}  // namespace tenure
