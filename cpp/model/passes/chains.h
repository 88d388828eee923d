#pragma once

#include <optional>
#include <vector>

#include "model/graph/graph.h"

namespace tenure {

/// Elementwise nodes in execution order, to be fused. Only the result of the last one is read by other nodes.
struct NodeChain {
  std::vector<std::size_t> nodes;
  /// The inputs of the producer, including kNoValue, then those of the nodes, without the producer's result.
  std::vector<ValueId> inputs;
  /// The index of a convolution whose result only the chain reads.
  std::optional<std::size_t> producer = {};
};

/// Returns the chains of two or more nodes in a graph. A node is in at most one chain. If `allow_producers`,
/// chains may have a producer, which counts as a node. All values are float32. Values inside a chain have as
/// many elements as its result. The inputs, except those of the producer, are suffix broadcasts to the result
/// (is_suffix_broadcast()).
std::vector<NodeChain> find_chains(const Graph& graph, bool allow_producers);

/// Detaches the producer of a chain: its result becomes the first input of the chain.
void detach_producer(const Graph& graph, NodeChain& chain);

}  // namespace tenure
