#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "model/passes/passes.h"
#include "ops/ops.h"

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

/// Returns the constant that an elementwise op reads in the place of `constant` if its other inputs and its
/// output are not transposed by `perm`.
Tensor undo_transpose(const Tensor& constant, const Dims& perm) {
  Shape shape = constant.shape();
  while (shape.rank < perm.rank) shape.insert(0, 1);
  Dims inverse = perm;
  for (int i = 0; i < perm.rank; ++i) inverse[perm[i]] = i;
  return transpose(reshape(constant, {shape}), {inverse});
}

class Canceller {
 public:
  explicit Canceller(Graph& graph)
      : graph_(graph),
        readers_(Uses(graph).count),
        replacement_(graph.values.size()),
        producer_(graph.values.size(), Uses::kNone),
        is_kept_(graph.values.size(), false) {
    std::iota(replacement_.begin(), replacement_.end(), ValueId{0});
    for (const ValueId output : graph.outputs) is_kept_[output] = true;
    std::vector<bool> may_be_transposed(graph.values.size(), false);
    for (const GraphNode& node : graph.nodes) {
      const bool is_passing = node.op == Op::transpose || is_elementwise(op_def(node.op).kind);
      const bool is_transposed =
          is_passing && (node.op == Op::transpose ||
                         std::all_of(node.inputs.begin(), node.inputs.end(), [&](ValueId input) {
                           return graph.is_constant(input) || may_be_transposed[input];
                         }));
      may_be_transposed[node.output] = is_transposed;
      for (const ValueId input : node.inputs) is_kept_[input] = is_kept_[input] || !is_transposed;
    }
  }

  void run() {
    for (GraphNode& node : std::exchange(graph_.nodes, {})) {
      for (ValueId& input : node.inputs) input = replacement_[input];
      if (node.op == Op::transpose) merge_with_previous(node);
      if (is_elementwise(op_def(node.op).kind) && sink_through(node)) continue;
      add(std::move(node));
    }
    for (ValueId& output : graph_.outputs) output = replacement_[output];
    remove_dead_nodes(graph_);
  }

 private:
  void add(GraphNode node) {
    producer_[node.output] = static_cast<std::int32_t>(graph_.nodes.size());
    graph_.nodes.push_back(std::move(node));
  }

  /// Returns the transpose node that computes a value, or null if another node does.
  const GraphNode* find_transpose(ValueId id) const {
    const std::int32_t index = producer_[id];
    if (index == Uses::kNone) return nullptr;
    const GraphNode& node = graph_.nodes[static_cast<std::size_t>(index)];
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
      readers_[node.inputs[0]] += readers_[node.output];
      if (is_kept_[node.output]) is_kept_[node.inputs[0]] = true;
    }
  }

  /// Returns the permutation that all inputs of a node but constants are transposed by; none if they are not,
  /// or if their transposes would stay.
  std::optional<Dims> find_common_permutation(const GraphNode& node) const {
    const int rank = graph_.spec(node.output).shape.rank;
    std::optional<Dims> common;
    for (const ValueId input : node.inputs) {
      if (graph_.is_constant(input)) {
        if (graph_.constant(input).storage()->stays_packed()) return std::nullopt;
        continue;
      }
      const GraphNode* transpose = find_transpose(input);
      if (!transpose || is_kept_[input] || graph_.spec(input).shape.rank != rank) return std::nullopt;
      // A transpose behind a node whose output is kept stays: a second one of the value, or a larger one.
      const bool adds_work =
          readers_[input] > 1 || graph_.spec(input).shape != graph_.spec(node.output).shape;
      if (is_kept_[node.output] && adds_work) return std::nullopt;
      const Dims perm = get_permutation(graph_, *transpose);
      if (common && *common != perm) return std::nullopt;
      common = perm;
    }
    return common;
  }

  /// Adds f(transpose(x), transpose(y), c), c a constant, as transpose(f(x, y, c')). Returns false if the
  /// node is none such.
  bool sink_through(GraphNode& node) {
    const std::optional<Dims> perm = find_common_permutation(node);
    if (!perm) return false;
    for (ValueId& input : node.inputs) {
      if (!graph_.is_constant(input)) {
        input = find_transpose(input)->inputs[0];
      } else if (graph_.constant(input).elements() != 1) {
        input = find_or_add_constant(input, *perm);
      }
    }
    TensorSpec spec = graph_.spec(node.output);
    const Shape transposed = spec.shape;
    for (int i = 0; i < perm->rank; ++i) spec.shape[(*perm)[i]] = transposed[i];
    GraphNode transpose = {
        .op = Op::transpose, .inputs = {}, .attrs = {}, .output = node.output, .layer = node.layer};
    transpose.set_attrs(PermutationAttrs{*perm});
    node.output = grow(graph_.add_value(spec));
    transpose.inputs = {node.output};
    add(std::move(node));
    add(std::move(transpose));
    return true;
  }

  /// Returns a constant that undoes the transpose of another one.
  ValueId find_or_add_constant(ValueId constant, const Dims& perm) {
    for (const MovedConstant& one : constants_) {
      if (one.from == constant && one.perm == perm) return one.to;
    }
    const ValueId added = grow(graph_.add_constant(undo_transpose(graph_.constant(constant), perm)));
    constants_.push_back({constant, perm, added});
    return added;
  }

  /// Makes room for a new value. Returns it.
  ValueId grow(ValueId added) {
    readers_.push_back(1);
    replacement_.push_back(added);
    producer_.push_back(Uses::kNone);
    is_kept_.push_back(false);
    return added;
  }

  struct MovedConstant {
    ValueId from;
    Dims perm;
    ValueId to;
  };

  Graph& graph_;
  std::vector<MovedConstant> constants_;
  std::vector<std::int32_t> readers_;   ///< by value: number of reads
  std::vector<ValueId> replacement_;    ///< indexed by value: the value to read instead
  std::vector<std::int32_t> producer_;  ///< by value: the node that computes it, or kNone
  /// By value: true if it is read as it is, by a node that is no elementwise op, or that has inputs for which
  /// there is no transpose.
  std::vector<bool> is_kept_;
};

}  // namespace

void cancel_transposes(Graph& graph) { Canceller(graph).run(); }

}  // namespace tenure::passes
