#pragma once

#include <vector>

#include "model/graph.h"

namespace tenure {

/// Elementwise nodes, in order, of which only the last has a result that others read.
struct Chain {
  std::vector<std::size_t> nodes;
  std::vector<ValueId> inputs;
};

/// The chains of two nodes and more in a graph; no node is in two. All values are float32, those within a
/// chain have as many elements as its result, and its inputs repeat along that.
std::vector<Chain> find_chains(const Graph& graph);

}  // namespace tenure
