// The raw call that loads TensorFlow Lite models. Loaded models are called as other graph models
// (graph.cpp).

#include <algorithm>

#include "import/tflite/load.h"
#include "model/files/json.h"
#include "wasm/adopt_weights.h"
#include "wasm/call.h"
#include "wasm/graph_entries.h"
#include "wasm/json_text.h"

namespace tenure::wasm {
namespace {

// Objects are put together as text: json_object() would be a function of another part of the engine.

std::string json_quantization(const tflite::PortQuantization& port) {
  if (port.scale == 0) return "null";
  return text("{\"scale\":", static_cast<double>(port.scale), ",\"zeroPoint\":", port.zero_point, "}");
}

std::string json_name(const tflite::PortName& port) { return json_string(port.name); }
/// A function of its own: json_list() of json_string() is one of another part.
std::string json_word(const std::string& word) { return json_string(word); }

std::string json_signature(const tflite::SignatureInfo& signature) {
  return text("{\"key\":", json_string(signature.key), ",\"inputs\":", json_list(signature.inputs, json_name),
              ",\"outputs\":", json_list(signature.outputs, json_name), "}");
}

/// Returns the tensors of a signature's names, as the signature of a GraphDef has them.
std::string json_tensors(const std::vector<tflite::PortName>& ports) {
  std::string json = "{";
  for (const tflite::PortName& port : ports) {
    json += text(json.size() > 1 ? "," : "", json_string(port.name), ":{\"name\":", json_string(port.tensor),
                 "}");
  }
  return json += '}';
}

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

std::string json_file(const tflite::FileInfo& info) {
  return text("{\"inputs\":", json_list(info.inputs, json_quantization),
              ",\"outputs\":", json_list(info.outputs, json_quantization),
              ",\"signature\":{\"inputs\":", json_tensors(info.signature.inputs),
              ",\"outputs\":", json_tensors(info.signature.outputs),
              "},\"inputNodes\":", json_list(info.input_names, json_word),
              ",\"outputNodes\":", json_list(info.output_names, json_word),
              ",\"signatures\":", json_list(info.signatures, json_signature),
              ",\"states\":", json_list(info.states, json_state),
              ",\"topology\":{\"node\":", json_nodes(info.custom_nodes, ""),
              ",\"library\":{\"function\":", json_functions(info.custom_nodes), "}}}");
}

}  // namespace

/// Loads a .tflite file. `block`, of `bytes` bytes, has the file; the engine takes ownership of it. At `text`
/// is JSON, `length` bytes long: {"signature": key of the signature to run or "", "quantized": true for the
/// stored integers of quantized inputs and outputs, "custom": names of the custom ops that JavaScript runs}.
/// Returns the model's number. tn_graph_describe() has the facts of the file as "file".
TENURE_CALL int tn_tflite_load(std::uintptr_t block, std::size_t bytes, std::uintptr_t text,
                               std::size_t length) {
  return guarded([&] {
    const WeightData data = adopt_weights(block, bytes);
    const Json json = Json::parse({reinterpret_cast<const char*>(text), length}, "the options");
    const Json* signature = json.find("signature");
    const Json* quantized = json.find("quantized");
    const Json* custom = json.find("custom");
    check(signature && quantized && custom, "the options are incomplete");
    tflite::LoadOptions options{.signature = signature->string(), .is_quantized = quantized->boolean()};
    for (const Json& op : custom->items()) options.custom_ops.push_back(op.string());
    tflite::LoadedModel loaded = tflite::load_model(data.bytes, options);
    std::string file = json_file(loaded.info);
    return add_graph(std::make_unique<GraphModelEntry>(std::move(loaded.model), std::move(options.custom_ops),
                                                       std::move(file)));
  });
}

}  // namespace tenure::wasm
