#include <numeric>

#include "model/passes/passes.h"

namespace tenure::passes {
namespace {

/// Returns the permutation of a transpose node. An empty attribute reverses all axes.
Dims get_permutation(const Graph& graph, const GraphNode& node) {
  Dims perm = node.attrs_as<PermutationAttrs>().perm;
  if (!perm.empty()) return perm;
  for (int axis = graph.spec(node.output).shape.size(); axis-- > 0;) perm.push_back(axis);
  return perm;
}

bool is_identity(const Dims& perm) {
  for (int i = 0; i < perm.rank; ++i) {
    if (perm[i] != i) return false;
  }
  return true;
}

class Canceller {
 public:
  explicit Canceller(Graph& graph) : graph_(graph), uses_(graph), replacement_(graph.values.size()) {
    std::iota(replacement_.begin(), replacement_.end(), ValueId{0});
  }

  void run() {
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
      for (ValueId& input : graph_.nodes[i].inputs) input = replacement_[input];
      if (graph_.nodes[i].op == Op::transpose) merge_with_previous(graph_.nodes[i]);
      if (is_elementwise(op_def(graph_.nodes[i].op).kind)) sink_through(i);
    }
    for (ValueId& output : graph_.outputs) output = replacement_[output];
  }

 private:
  /// Returns the transpose node that computes a value, or null if another node does.
  GraphNode* find_transpose(ValueId id) {
    const std::int32_t index = uses_.producer[id];
    if (index == Uses::kNone) return nullptr;
    GraphNode& node = graph_.nodes[static_cast<std::size_t>(index)];
    return node.op == Op::transpose ? &node : nullptr;
  }

  void merge_with_previous(GraphNode& node) {
    Dims perm = get_permutation(graph_, node);
    if (const GraphNode* previous = find_transpose(node.inputs[0])) {
      const Dims first = get_permutation(graph_, *previous);
      for (std::int32_t& axis : perm) axis = first[axis];
      node.set_attrs(PermutationAttrs{perm});
      node.inputs[0] = previous->inputs[0];
    }
    if (is_identity(perm)) {
      replacement_[node.output] = node.inputs[0];
      uses_.count[node.inputs[0]] += uses_.count[node.output];
    }
  }

  /// Rewrites f(transpose(x), transpose(y)) as transpose(f(x, y)). In the node order, f moves to the position
  /// of the last transpose, and the transpose to that of f.
  void sink_through(std::size_t index) {
    GraphNode& node = graph_.nodes[index];
    GraphNode* last = nullptr;
    for (const ValueId input : node.inputs) {
      GraphNode* transpose = find_transpose(input);
      const bool fits = transpose && uses_.count[input] == 1 &&
                        graph_.spec(input).shape == graph_.spec(node.output).shape &&
                        (!last || get_permutation(graph_, *last) == get_permutation(graph_, *transpose));
      if (!fits) return;
      if (!last || transpose > last) last = transpose;
    }
    for (ValueId& input : node.inputs) input = find_transpose(input)->inputs[0];
    const ValueId turned =
        graph_.add_value({graph_.spec(node.inputs[0]).shape, graph_.spec(node.output).dtype});
    replacement_.push_back(turned);
    uses_.producer.push_back(static_cast<std::int32_t>(last - graph_.nodes.data()));
    uses_.count.push_back(1);
    std::swap(*last, node);
    node.inputs = {turned};
    std::swap(node.output, last->output);
    last->output = turned;
  }

  Graph& graph_;
  Uses uses_;
  std::vector<ValueId> replacement_;  ///< indexed by value: the value to read instead
};

}  // namespace

void cancel_transposes(Graph& graph) { Canceller(graph).run(); }

}  // namespace tenure::passes
