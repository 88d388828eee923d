#pragma once

#include "model/graph/graph.h"

namespace tenure::passes {

/// True for nodes of float32 whose op takes a bias and an activation: convolutions and mat_mul.
bool has_epilogue(const Graph& graph, const GraphNode& node);
/// Returns the activation in the epilogue of a node, which must have one (has_epilogue()).
Activation get_activation(const GraphNode& node);
void set_activation(GraphNode& node, Activation activation, float alpha);

/// A helper of passes that fuse nodes into the producers of their inputs.
class Fuser {
 public:
  explicit Fuser(Graph& graph) : graph_(graph), uses_(graph), is_removed_(graph.nodes.size(), false) {}

  /// Returns the node that computes `id`, if it has an epilogue without an activation and `id` is read
  /// exactly `readers` times; otherwise null.
  GraphNode* find_producer(ValueId id, int readers = 1);
  /// Returns the node that computes a value, or null for an input or a constant.
  const GraphNode* get_producer(ValueId id) const;
  bool is_read_once(ValueId id) const { return uses_.count[id] == 1; }
  /// Makes `producer` compute the output of `node`, and marks `node` for removal.
  void absorb(GraphNode& producer, const GraphNode& node);
  /// Erases the nodes marked for removal.
  void finish();

 private:
  Graph& graph_;
  Uses uses_;
  std::vector<bool> is_removed_;
};

}  // namespace tenure::passes
