#include "model/passes/fuser.h"

namespace tenure::passes {

bool has_epilogue(const Graph& graph, const Node& node) {
  const bool takes_one = node.op == Op::conv2d || node.op == Op::depthwise_conv2d || node.op == Op::mat_mul;
  return takes_one && graph.spec(node.output).dtype == DType::kFloat32;
}

Activation get_activation(const Node& node) {
  return node.op == Op::mat_mul ? node.attrs_as<MatMulAttrs>().activation
                                : node.attrs_as<ConvAttrs>().activation;
}

void set_activation(Node& node, Activation activation, float alpha) {
  const auto set = [&](auto attrs) {
    attrs.activation = activation;
    attrs.alpha = alpha;
    node.set_attrs(attrs);
  };
  node.op == Op::mat_mul ? set(node.attrs_as<MatMulAttrs>()) : set(node.attrs_as<ConvAttrs>());
}

const Node* Fuser::get_producer(ValueId id) const {
  const std::int32_t index = uses_.producer[id];
  return index == Uses::kNone ? nullptr : &graph_.nodes[static_cast<std::size_t>(index)];
}

Node* Fuser::find_producer(ValueId id, int readers) {
  const std::int32_t index = uses_.producer[id];
  if (index == Uses::kNone || uses_.count[id] != readers) return nullptr;
  Node& node = graph_.nodes[static_cast<std::size_t>(index)];
  return has_epilogue(graph_, node) && get_activation(node) == Activation::kLinear ? &node : nullptr;
}

void Fuser::absorb(Node& producer, const Node& node) {
  is_removed_[static_cast<std::size_t>(&node - graph_.nodes.data())] = true;
  producer.output = node.output;
  uses_.producer[node.output] = static_cast<std::int32_t>(&producer - graph_.nodes.data());
}

void Fuser::finish() {
  std::size_t index = 0;
  std::erase_if(graph_.nodes, [&](const Node&) { return is_removed_[index++]; });
}

}  // namespace tenure::passes
