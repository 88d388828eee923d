#pragma once

#include <vector>

#include "model/graph/graph.h"

namespace tenure {

/// The location of a value's bytes: at `offset` in the buffer of `root`. A root is its own root.
struct Place {
  ValueId root;
  std::size_t offset;  ///< in bytes
};

/// Returns the location of each value. Results of views and, if `slices`, contiguous slices alias their
/// input. A slice has its own buffer if it or its source shares memory with an output of the graph, or if its
/// source is an input or a constant.
std::vector<Place> find_places(const Graph& graph, bool slices);

}  // namespace tenure
