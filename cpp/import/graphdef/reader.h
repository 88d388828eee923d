#pragma once

#include "import/graphdef/row.h"
#include "model/executor/definition.h"

namespace tenure {
class Json;
}

/// TensorFlow's graphs, as TensorFlow.js's converter writes them.
namespace tenure::graphdef {

/// What a file refers to.
struct Context {
  std::unordered_map<std::string, Tensor> weights;  ///< values of constants by the names of their nodes
  std::vector<std::string> custom;                  ///< ops that run outside the engine
};

/// Reads a GraphDef. Throws, naming the node, for what is not right.
Definition read_definition(const Json& json, const Context& context);

/// Replaces the frames of loops by nodes of their own. Throws for loops that are not as TensorFlow makes
/// them.
void extract_loops(Block& block);

/// Returns the output that "name", "name:1" or "name:values:0" stands for. Throws if there is no such node.
Ref find_output(const Block& block, std::string_view name);

}  // namespace tenure::graphdef
