#include "model/passes/passes.h"

#include <ranges>

namespace tenure::passes {

void remove_dead_nodes(Graph& graph) {
  std::vector<bool> is_needed(graph.values.size(), false);
  for (const ValueId output : graph.outputs) is_needed[output] = true;
  for (const ValueId input : graph.inputs) is_needed[input] = true;
  for (const GraphNode& node : std::views::reverse(graph.nodes)) {
    if (!is_needed[node.output]) continue;
    for (const ValueId input : node.inputs) is_needed[input] = true;
  }
  std::erase_if(graph.nodes, [&](const GraphNode& node) { return !is_needed[node.output]; });
  for (ValueId id = 0; id < graph.values.size(); ++id) {
    if (!is_needed[id]) graph.values[id].constant = Tensor();
  }
}

}  // namespace tenure::passes
