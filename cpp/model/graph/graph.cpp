#include "model/graph/graph.h"

namespace tenure {

ValueId Graph::add_value(const TensorSpec& spec) {
  values.push_back({spec, Tensor()});
  return static_cast<ValueId>(values.size() - 1);
}

ValueId Graph::add_constant(const Tensor& tensor) {
  values.push_back({tensor.spec(), tensor});
  return static_cast<ValueId>(values.size() - 1);
}

Uses::Uses(const Graph& graph)
    : producer(graph.values.size(), kNone),
      reader(graph.values.size(), kNone),
      count(graph.values.size(), 0) {
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const GraphNode& node = graph.nodes[i];
    for (const ValueId input : node.inputs) {
      reader[input] = static_cast<std::int32_t>(i);
      ++count[input];
    }
    producer[node.output] = static_cast<std::int32_t>(i);
  }
  for (const ValueId output : graph.outputs) ++count[output];
}

}  // namespace tenure
