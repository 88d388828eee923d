#include "wasm/tflite_json.h"

#include <algorithm>

#include "wasm/json_text.h"

namespace tenure::wasm {
namespace {

/// Returns the custom nodes of the main graph, or of a function, as a GraphDef has them.
std::string json_nodes(const std::vector<tflite::CustomNode>& nodes, std::string_view function) {
  std::string json = "[";
  for (const tflite::CustomNode& node : nodes) {
    if (node.function != function) continue;
    const std::string options = json_list(
        node.options, [](char byte) { return text(static_cast<int>(static_cast<unsigned char>(byte))); });
    json += text(json.size() > 1 ? "," : "", "{\"name\":", json_string(node.name),
                 ",\"op\":", json_string(node.op), ",\"attr\":{\"custom_options\":{\"list\":{\"i\":", options,
                 "}}}}");
  }
  return json += ']';
}

std::string json_functions(const std::vector<tflite::CustomNode>& nodes) {
  std::vector<std::string> names;
  for (const tflite::CustomNode& node : nodes) {
    if (!node.function.empty() && std::find(names.begin(), names.end(), node.function) == names.end())
      names.push_back(node.function);
  }
  return json_list(names, [&](const std::string& name) {
    return text("{\"signature\":{\"name\":", json_string(name), "},\"nodeDef\":", json_nodes(nodes, name),
                "}");
  });
}

std::string json_state(const tflite::StateInfo& state) {
  return text("{\"name\":", json_string(state.name), ",\"next\":", json_string(state.next),
              ",\"initial\":", json_string(state.initial), ",\"dtype\":", static_cast<int>(state.dtype),
              ",\"shape\":", json_list(state.shape, [](std::int32_t extent) { return text(extent); }), "}");
}

}  // namespace

std::string json_states(const std::vector<tflite::StateInfo>& states) {
  return json_list(states, json_state);
}

std::string json_topology(const std::vector<tflite::CustomNode>& nodes) {
  return text("{\"node\":", json_nodes(nodes, ""), ",\"library\":{\"function\":", json_functions(nodes),
              "}}");
}

}  // namespace tenure::wasm
