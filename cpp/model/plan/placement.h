#pragma once

#include "core/run/backend.h"
#include "model/graph/graph.h"

namespace tenure {

/// Multiplications and additions in pairs that a node takes, or the elements that it reads and writes where
/// it does little with each.
double work_of(const Graph& graph, const Node& node);
/// The sum over all nodes.
double work_of(const Graph& graph);

/// The backend that runs the whole graph soonest: the chosen one, or the CPU where a device's round trip and
/// its draws would take longer than the CPU takes for everything.
const Backend& place_graph(const Graph& graph);

}  // namespace tenure
