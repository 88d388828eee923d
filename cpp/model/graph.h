#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/op.h"

namespace tenure {

/// Number of a value in a graph; kNoValue stands for a missing optional input.
using ValueId = std::uint32_t;
constexpr ValueId kNoValue = 0;

/// What flows along an edge: an input, a node's output or, when it has data, a constant.
struct Value {
  TensorSpec spec;
  Tensor constant;
};

/// One op of the graph; always a primitive, with one output.
struct Node {
  Op op;
  std::vector<ValueId> inputs;
  std::vector<std::int32_t> attrs;
  ValueId output;
  std::uint32_t layer;  ///< index into Graph::layers

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

  ValueId add_value(const TensorSpec& spec);
  ValueId add_constant(const Tensor& tensor);
  bool is_constant(ValueId id) const { return values[id].constant.has_data(); }
  const Tensor& constant(ValueId id) const { return values[id].constant; }
  const TensorSpec& spec(ValueId id) const { return values[id].spec; }
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
