#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/run/op.h"

namespace tenure {

/// Number of a value in a graph; kNoValue stands for a missing optional input.
using ValueId = std::uint32_t;
constexpr ValueId kNoValue = 0;

/// What flows along an edge: an input, a node's output or, when it has data, a constant.
struct Value {
  TensorSpec spec;
  Tensor constant;
};

struct Loop;

/// One op of the graph; always a primitive, with one output. A loop is the concat of what its steps give.
struct Node {
  Op op;
  std::vector<ValueId> inputs;
  std::vector<std::int32_t> attrs;
  ValueId output;
  std::uint32_t layer;                         ///< index into Graph::layers
  std::shared_ptr<const Loop> loop = nullptr;  ///< null but for a loop

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

/// A model as a list of ops in the order in which they run, for known shapes.
struct Graph {
  std::vector<Value> values = {Value{}};  ///< the first is kNoValue
  std::vector<Node> nodes;
  std::vector<ValueId> inputs;
  std::vector<ValueId> outputs;
  std::vector<std::string> layers = {""};  ///< names that nodes refer to
  const char* layer_word = "layer";        ///< what these are, for errors

  ValueId add_value(const TensorSpec& spec);
  ValueId add_constant(const Tensor& tensor);
  bool is_constant(ValueId id) const { return values[id].constant.has_data(); }
  const Tensor& constant(ValueId id) const { return values[id].constant; }
  const TensorSpec& spec(ValueId id) const { return values[id].spec; }
};

/// A graph that runs for each of a number of steps. A node's inputs are those of the body: first rows of
/// sequences [rows, ...], of which each step takes as many as the body's input has, then what is carried from
/// step to step. The body gives a float32 output, then what it carries on, float32 too. The node gives one
/// vector: the last output, or all in the order in which they are made, then what the last step carries.
struct Loop {
  Graph body;
  std::int32_t steps;
  std::size_t sequences;  ///< how many of the inputs are
  bool backwards;         ///< whether steps take their rows from the end
  bool all;               ///< whether all outputs are given
};

/// Who computes and who reads each value of a graph, as it was when this was made.
struct Uses {
  static constexpr std::int32_t kNobody = -1;
  explicit Uses(const Graph& graph);
  std::vector<std::int32_t> producer;  ///< index of the node, or kNobody for an input or a constant
  std::vector<std::int32_t> reader;    ///< the last node to read it, or kNobody
  std::vector<std::int32_t> count;     ///< how often it is read; being an output of the graph counts too
};

}  // namespace tenure
