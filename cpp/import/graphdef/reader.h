#pragma once

#include "import/graphdef/row.h"
#include "model/executor/definition.h"

namespace tenure {
class Json;
}

/// Import of TensorFlow graphs in the format of TensorFlow.js's converter.
namespace tenure::graphdef {

/// The definitions outside of a file that the file refers to.
struct LoadContext {
  std::unordered_map<std::string, Tensor> weights;  ///< values of constants by the names of their nodes
  std::vector<std::string> custom;                  ///< ops that run outside the engine
};

/// Reads a GraphDef. Throws for an invalid graph, naming the node.
Definition read_definition(const Json& json, const LoadContext& context);

/// Replaces the frame of each loop of v1 control flow by one loop node. Throws for a frame that is not a loop
/// as TensorFlow builds it.
void extract_loops(Block& block);

}  // namespace tenure::graphdef
