#pragma once

#include <optional>
#include <vector>

#include "model/graph/graph.h"

namespace tenure {

/// Elementwise nodes, in order, of which only the last has a result that others read.
struct Chain {
  std::vector<std::size_t> nodes;
  /// Those of the head come first, kNoValue among them, and the head's result is not one of them.
  std::vector<ValueId> inputs;
  /// A convolution whose result only the chain reads.
  std::optional<std::size_t> head = {};
};

/// The chains of two nodes and more in a graph, a head counting as one where there are to be any; no node is
/// in two. All values are float32, those within a chain have as many elements as its result, and its inputs
/// but for those of the head repeat along that.
std::vector<Chain> find_chains(const Graph& graph, bool heads);

/// Makes the head's result an input of the chain.
void leave_head(const Graph& graph, Chain& chain);

}  // namespace tenure
