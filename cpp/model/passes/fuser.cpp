#include "model/passes/fuser.h"

#include <bit>

#include "core/run/op_traits.h"

namespace tenure::passes {
namespace {

std::size_t activation_word(const GraphNode& node) {
  return static_cast<std::size_t>(op_traits(node.op).activation_word);
}

}  // namespace

bool has_epilogue(const Graph& graph, const GraphNode& node) {
  return op_traits(node.op).has_activation() && graph.spec(node.output).dtype == DType::kFloat32;
}

Activation get_activation(const GraphNode& node) {
  return static_cast<Activation>(node.attrs[activation_word(node)]);
}

void set_activation(GraphNode& node, Activation activation, float alpha) {
  const std::size_t word = activation_word(node);
  node.attrs[word] = static_cast<std::int32_t>(activation);
  node.attrs[word + 1] = std::bit_cast<std::int32_t>(alpha);
}

const GraphNode* Fuser::get_producer(ValueId id) const {
  const std::int32_t index = uses_.producer[id];
  return index == Uses::kNone ? nullptr : &graph_.nodes[static_cast<std::size_t>(index)];
}

GraphNode* Fuser::find_producer(ValueId id, int readers) {
  const std::int32_t index = uses_.producer[id];
  if (index == Uses::kNone || uses_.count[id] != readers) return nullptr;
  GraphNode& node = graph_.nodes[static_cast<std::size_t>(index)];
  return has_epilogue(graph_, node) && get_activation(node) == Activation::kLinear ? &node : nullptr;
}

void Fuser::absorb(GraphNode& producer, const GraphNode& node) {
  is_removed_[static_cast<std::size_t>(&node - graph_.nodes.data())] = true;
  producer.output = node.output;
  uses_.producer[node.output] = static_cast<std::int32_t>(&producer - graph_.nodes.data());
}

void Fuser::finish() {
  std::size_t index = 0;
  std::erase_if(graph_.nodes, [&](const GraphNode&) { return is_removed_[index++]; });
}

}  // namespace tenure::passes
