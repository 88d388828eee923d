#pragma once

#include <string>
#include <vector>

#include "import/tflite/load.h"

/// JSON of variables and custom nodes, which few TensorFlow Lite models have.
namespace tenure::wasm {

/// Returns the variables, each with its name, the names of its next and first values, its dtype and its
/// shape.
std::string json_states(const std::vector<tflite::StateInfo>& states);
/// Returns the custom nodes as a GraphDef has them.
std::string json_topology(const std::vector<tflite::CustomNode>& nodes);

}  // namespace tenure::wasm
