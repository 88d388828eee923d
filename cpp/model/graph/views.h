#pragma once

#include <vector>

#include "model/graph/graph.h"

namespace tenure {

/// Where a value's bytes are: within those of another value, its root, which is its own.
struct Place {
  ValueId root;
  std::size_t offset;  ///< in bytes
};

/// Finds the values that need no memory of their own: results of views and, if `slices`, slices that are one
/// run of bytes. A slice keeps its own memory where its bytes leave the plan, as an output or in the memory
/// of one, and where its source is not the plan's to place.
std::vector<Place> find_places(const Graph& graph, bool slices);

}  // namespace tenure
