#include "model/graph/lifetimes.h"

#include <algorithm>

namespace tenure {
namespace {

class BlockFinder {
 public:
  BlockFinder(const Graph& graph, std::span<const StepValues> steps, const std::vector<BufferView>& views,
              const std::vector<bool>& in_arena)
      : graph_(graph), views_(views), in_arena_(in_arena), last_read_(graph.values.size(), -1) {
    for (std::size_t i = 0; i < steps.size(); ++i) {
      for (const ValueId input : steps[i].inputs) last_read_[get_base(input)] = static_cast<int>(i);
    }
    blocks_.block_index.resize(graph.values.size(), -1);
  }

  // Out of line to keep the loop over all steps small; see model/plan/plan.cpp.
  [[gnu::noinline]] void add(const StepValues& step, int time) {
    for (const ValueId input : step.inputs) {
      const int used = blocks_.block_index[get_base(input)];
      if (used >= 0) blocks_.lifetimes[static_cast<std::size_t>(used)].last = time;
    }
    if (get_base(step.output) != step.output || !in_arena_[step.output]) return;
    const ValueId under = find_donor(step, time);
    int block = under != kNoValue ? blocks_.block_index[under] : -1;
    if (block < 0) {
      block = static_cast<int>(blocks_.lifetimes.size());
      blocks_.lifetimes.push_back({get_bytes(step.output), time, time});
    }
    blocks_.block_index[step.output] = block;
  }

  ArenaBlocks take() { return std::move(blocks_); }

 private:
  ValueId get_base(ValueId id) const { return views_[id].base; }
  std::size_t get_bytes(ValueId id) const { return checked_bytes(graph_.spec(id)); }
  // True if `id` is its whole base and has the byte size and the element size of `output`.
  bool covers(ValueId id, ValueId output) const {
    return views_[id].offset == 0 && get_bytes(id) == get_bytes(output) &&
           get_bytes(get_base(id)) == get_bytes(output) &&
           element_size(graph_.spec(id).dtype) == element_size(graph_.spec(output).dtype);
  }

  /// Returns the base of an input whose block the step's output may reuse, or kNoValue.
  ValueId find_donor(const StepValues& step, int time) const {
    const auto can_donate = [&](std::size_t i) {
      return i < 64 && (step.donation_mask >> i & 1) != 0 && covers(step.inputs[i], step.output);
    };
    for (std::size_t i = 0; i < step.inputs.size(); ++i) {
      const ValueId base = get_base(step.inputs[i]);
      if (!can_donate(i) || !in_arena_[base] || last_read_[base] > time) continue;
      bool is_free = true;
      for (std::size_t j = 0; j < step.inputs.size(); ++j)
        is_free = is_free && (get_base(step.inputs[j]) != base || can_donate(j));
      if (is_free) return base;
    }
    return kNoValue;
  }

  const Graph& graph_;
  const std::vector<BufferView>& views_;
  const std::vector<bool>& in_arena_;
  std::vector<int> last_read_;
  ArenaBlocks blocks_;
};

}  // namespace

ArenaBlocks find_blocks(const Graph& graph, std::span<const StepValues> steps,
                        const std::vector<BufferView>& views, const std::vector<bool>& in_arena) {
  BlockFinder finder(graph, steps, views, in_arena);
  for (std::size_t i = 0; i < steps.size(); ++i) finder.add(steps[i], static_cast<int>(i));
  return finder.take();
}

}  // namespace tenure
