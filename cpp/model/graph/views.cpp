#include "model/graph/views.h"

#include <algorithm>
#include <optional>
#include <ranges>

namespace tenure {
namespace {

bool is_view(const GraphNode& node) { return op_def(node.op).kind == OpKind::kView; }

/// Returns for each value whether it shares memory with an output of the graph.
std::vector<bool> find_escaping(const Graph& graph) {
  std::vector<bool> escaping(graph.values.size(), false);
  for (const ValueId output : graph.outputs) escaping[output] = true;
  for (const GraphNode& node : std::views::reverse(graph.nodes)) {
    if (is_view(node) && escaping[node.output]) escaping[node.inputs[0]] = true;
  }
  return escaping;
}

/// Returns the byte offset of a slice whose elements are contiguous in its input, or nullopt. A slice is
/// contiguous if it is complete in all dimensions after the first one in which its extent is above 1.
std::optional<std::size_t> contiguous_offset(const Graph& graph, const GraphNode& node) {
  if (node.op != Op::slice) return std::nullopt;
  const TensorSpec& from = graph.spec(node.inputs[0]);
  const Shape& to = graph.spec(node.output).shape;
  const SliceAttrs attrs = node.attrs_as<SliceAttrs>();
  const Dims strides = from.shape.strides();
  bool must_be_whole = false;
  std::size_t offset = 0;
  for (int i = 0; i < to.rank; ++i) {
    if (must_be_whole && to[i] != from.shape[i]) return std::nullopt;
    must_be_whole |= to[i] > 1;
    offset += static_cast<std::size_t>(attrs.begin[i]) * static_cast<std::size_t>(strides[i]);
  }
  return offset * element_size(from.dtype);
}

}  // namespace

std::vector<BufferView> find_buffer_views(const Graph& graph, bool slices) {
  const std::vector<bool> escaping = find_escaping(graph);
  std::vector<BufferView> views(graph.values.size());
  for (ValueId id = 0; id < views.size(); ++id) views[id] = {id, 0};
  for (const GraphNode& node : graph.nodes) {
    const ValueId from = node.inputs.empty() ? kNoValue : node.inputs[0];
    if (is_view(node)) {
      views[node.output] = views[from];
      continue;
    }
    if (!slices || escaping[node.output] || graph.spec(node.output).shape.elements() == 0) continue;
    const std::optional<std::size_t> offset = contiguous_offset(graph, node);
    if (!offset) continue;
    const ValueId base = views[from].base;
    const bool placed_by_plan =
        !escaping[base] && !graph.is_constant(base) &&
        std::find(graph.inputs.begin(), graph.inputs.end(), base) == graph.inputs.end();
    if (placed_by_plan) views[node.output] = {base, views[from].offset + *offset};
  }
  return views;
}

}  // namespace tenure
