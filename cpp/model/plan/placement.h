#pragma once

#include "core/run/backend.h"
#include "model/graph/graph.h"

namespace tenure {

/// Returns the multiply-adds of a node or, for an op that does not sum products, the elements that it reads
/// and writes, without constants.
double estimate_work(const Graph& graph, const GraphNode& node);
/// Returns the estimated work of a graph, the sum over all nodes.
double estimate_work(const Graph& graph);

/// Returns a rough estimate of the time that the graph takes on the CPU.
double estimate_cpu_microseconds(const Graph& graph);
/// True if an op of the graph sums products over a filter, as convolutions do. Passes make these much faster.
bool sums_over_filters(const Graph& graph);

/// Returns the backend with the lowest estimated time for the whole graph: the usable backend, or the CPU if
/// a device's round trip and launches (DeviceCosts) would take longer than the graph takes on the CPU. Always
/// returns the usable backend if min_elements_for_device() is 0, or if a constant, also of a loop's body,
/// must stay on the device.
const Backend& choose_backend(const Graph& graph);

}  // namespace tenure
