#pragma once

#include <span>
#include <vector>

#include "import/onnx/model_proto.h"

namespace tenure::onnx {

/// Returns the nodes of a graph in topological order: each after those whose outputs it reads, its inner
/// graphs included. The format asks for this order, but not all exporters write it. Nodes that are in order
/// stay, and so do cycles.
std::vector<const NodeProto*> sort_nodes(std::span<const NodeProto> nodes);

}  // namespace tenure::onnx
