#pragma once

#include <vector>

#include "model/graph/graph.h"

namespace tenure {

/// The location of a value's bytes: at `offset` in the buffer of `base`. A base is its own base.
struct BufferView {
  ValueId base;
  std::size_t offset;  ///< in bytes
};

/// Returns the location of each value. Results of views and, if `slices`, contiguous slices alias their
/// input. A slice has its own buffer if it or its source shares memory with an output of the graph, or if its
/// source is an input or a constant.
std::vector<BufferView> find_buffer_views(const Graph& graph, bool slices);

}  // namespace tenure
