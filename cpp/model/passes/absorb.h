#pragma once

#include "model/graph/graph.h"

namespace tenure::passes {

/// True for ops that take a bias and an activation: conv2d, depthwise_conv2d and mat_mul, in float32.
bool has_epilogue(const Graph& graph, const Node& node);
/// The activation of such an op.
Activation activation_of(const Node& node);
void set_activation(Node& node, Activation activation, float alpha);

/// Lets nodes take over the work of those that read them.
class Absorber {
 public:
  explicit Absorber(Graph& graph) : graph_(graph), uses_(graph), is_gone_(graph.nodes.size(), false) {}

  /// The node with an epilogue, no activation so far, that computes `id` for `readers` inputs of other nodes
  /// and for nobody else; null if there is none.
  Node* find_producer(ValueId id, int readers = 1);
  /// The node that computes a value; null for an input or a constant.
  const Node* producer_of(ValueId id) const;
  bool is_read_once(ValueId id) const { return uses_.count[id] == 1; }
  /// `producer` computes from now on what `node` did, which disappears.
  void absorb(Node& producer, const Node& node);
  /// Erases the nodes that disappeared.
  void finish();

 private:
  Graph& graph_;
  Uses uses_;
  std::vector<bool> is_gone_;
};

}  // namespace tenure::passes
