// Weights of 2 to 8 bits become float32 when a model is read: a plan for each shape would do it again.

#include <algorithm>

#include "import/onnx/reader.h"
#include "import/onnx/rows/block_quantized.h"

namespace tenure::onnx {

void GraphReader::dequantize_weights(Scope& scope, Node& node) {
  Tensor packed[3];
  const std::size_t count = std::min<std::size_t>(node.inputs.size(), 4);
  for (std::size_t i = 1; i < count; ++i) {
    if (node.inputs[i].is_absent()) continue;
    packed[i - 1] = scope.block->nodes[node.inputs[i].node].constant;
    // Weights that the model computes are dequantized when it runs.
    if (!packed[i - 1]) return;
  }
  if (!packed[0] || !packed[1]) return;
  const std::string name = scope.block->nodes[node.inputs[1].node].name + " of " + node.name;
  const Ref weights =
      add_constant(scope, name, dequantize_blocks(node.attrs, packed[0], packed[1], packed[2]));
  for (std::size_t i = 1; i < count; ++i) {
    if (!node.inputs[i].is_absent() && scope.block == &import_.definition.main)
      packed_.push_back(node.inputs[i].node);
    node.inputs[i] = {Ref::kAbsent, 0};
  }
  node.inputs[1] = weights;
}

void GraphReader::drop_packed_weights(Scope& scope) {
  std::vector<bool> is_read(scope.block->nodes.size(), false);
  for (const Node& node : scope.block->nodes) {
    for (const Ref& input : node.inputs) {
      if (!input.is_absent()) is_read[input.node] = true;
    }
  }
  for (const ValueInfoProto& output : model_.graph->outputs) is_read[find(scope, output.name).node] = true;
  for (const std::uint32_t index : packed_) {
    if (is_read[index]) continue;
    Node& node = scope.block->nodes[index];
    std::erase_if(import_.weights, [&](const NamedTensor& weight) { return weight.name == node.name; });
    scope.values.erase(node.name);
    node.constant = Tensor::scalar(0);
  }
}

}  // namespace tenure::onnx
