#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/run/op.h"

namespace tenure {

/// Index of a value in Graph::values. kNoValue stands for a missing optional input.
using ValueId = std::uint32_t;
constexpr ValueId kNoValue = 0;

/// A value of a graph: an input, a node's output or, if `constant` has data, a constant.
struct Value {
  TensorSpec spec;
  Tensor constant;
};

struct RecurrentLoop;

/// One primitive op of the graph, with one output. A loop is a node with the op concat and a non-null `loop`.
struct GraphNode {
  Op op;
  std::vector<ValueId> inputs;
  std::vector<std::int32_t> attrs;
  ValueId output;
  std::uint32_t layer;                                  ///< index into Graph::layers
  std::shared_ptr<const RecurrentLoop> loop = nullptr;  ///< null unless the node is a loop

  AttrsView attrs_view() const { return AttrsView(std::span<const std::int32_t>(attrs)); }
  template <class A>
  A attrs_as() const {
    return attrs_view().as<A>();
  }
  template <class A>
  void set_attrs(const A& changed) {
    const auto words = AttrsView(changed).words();
    attrs.assign(words.begin(), words.end());
  }
};

/// A model for known shapes, as a list of ops in execution order.
struct Graph {
  std::vector<Value> values = {Value{}};  ///< the first is kNoValue
  std::vector<GraphNode> nodes;
  std::vector<ValueId> inputs;
  std::vector<ValueId> outputs;
  std::vector<std::string> layers = {""};  ///< names that nodes refer to
  const char* layer_kind = "layer";        ///< word before a layer's name in error messages

  ValueId add_value(const TensorSpec& spec);
  ValueId add_constant(const Tensor& tensor);
  bool is_constant(ValueId id) const { return values[id].constant.has_data(); }
  const Tensor& constant(ValueId id) const { return values[id].constant; }
  const TensorSpec& spec(ValueId id) const { return values[id].spec; }
};

/// A body graph that runs for a number of steps. The node's inputs are those of the body: first sequences
/// [rows, ...], of which each step reads as many rows as the body's input has, then the carried state. The
/// body's outputs are a float32 result, then the next state, float32 too. The node's output is one vector:
/// the last result, or all results in execution order, then the final state.
struct RecurrentLoop {
  Graph body;
  std::int32_t steps;
  std::size_t sequences;  ///< number of inputs that are sequences
  bool backwards;         ///< true if the steps read their rows from the end
  bool all;               ///< true if the results of all steps are returned
};

/// Producer and readers of each value of a graph. A snapshot: later changes of the graph are not included.
struct Uses {
  static constexpr std::int32_t kNone = -1;
  explicit Uses(const Graph& graph);
  std::vector<std::int32_t> producer;  ///< index of the node, or kNone for an input or a constant
  std::vector<std::int32_t> reader;    ///< index of the last node that reads it, or kNone
  std::vector<std::int32_t> count;     ///< number of reads; each use as an output of the graph counts as one
};

}  // namespace tenure
