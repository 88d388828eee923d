// The raw call that loads TensorFlow Lite models. Loaded models are called as other graph models
// (graph_calls.cpp).

#include <algorithm>
#include <iterator>

#include "import/tflite/load.h"
#include "model/files/json.h"
#include "wasm/adopt_weights.h"
#include "wasm/call.h"
#include "wasm/graph_entries.h"
#include "wasm/json_text.h"

namespace tenure::wasm {
namespace {

std::string json_quantization(const tflite::PortQuantization& port) {
  if (port.scale == 0) return "null";
  return json_object(
      {{"scale", text(static_cast<double>(port.scale))}, {"zeroPoint", std::to_string(port.zero_point)}});
}

std::string json_name(const tflite::PortName& port) { return json_string(port.name); }

std::string json_signature(const tflite::SignatureInfo& signature) {
  return json_object({{"key", json_string(signature.key)},
                      {"inputs", json_list(signature.inputs, json_name)},
                      {"outputs", json_list(signature.outputs, json_name)}});
}

/// Returns the tensors of a signature's names, as the signature of a GraphDef has them.
std::string json_tensors(const std::vector<tflite::PortName>& ports) {
  std::string json = "{";
  for (const tflite::PortName& port : ports)
    json += text(json.size() > 1 ? "," : "", json_string(port.name), ":{\"name\":", json_string(port.tensor),
                 "}");
  return json += '}';
}

std::string json_node(const tflite::CustomNode& node) {
  const std::string options = json_list(node.options, [](std::uint8_t byte) { return std::to_string(byte); });
  return text("{\"name\":", json_string(node.name), ",\"op\":", json_string(node.op),
              ",\"attr\":{\"custom_options\":{\"list\":{\"i\":", options, "}}}}");
}

/// Returns the custom nodes of the main graph and of each function, as a GraphDef has them.
std::string json_topology(const std::vector<tflite::CustomNode>& nodes) {
  std::vector<std::string> functions;
  for (const tflite::CustomNode& node : nodes) {
    const auto& name = node.function;
    if (!name.empty() && std::find(functions.begin(), functions.end(), name) == functions.end())
      functions.push_back(name);
  }
  const auto nodes_of = [&](const std::string& name) {
    std::vector<tflite::CustomNode> own;
    std::copy_if(nodes.begin(), nodes.end(), std::back_inserter(own),
                 [&](const tflite::CustomNode& node) { return node.function == name; });
    return json_list(own, json_node);
  };
  const auto json_function = [&](const std::string& name) {
    return text("{\"signature\":{\"name\":", json_string(name), "},\"nodeDef\":", nodes_of(name), "}");
  };
  return text("{\"node\":", nodes_of(""), ",\"library\":{\"function\":", json_list(functions, json_function),
              "}}");
}

std::string json_state(const tflite::StateInfo& state) {
  return json_object({{"name", json_string(state.name)},
                      {"next", json_string(state.next)},
                      {"shape", json_shape(state.shape)}});
}

/// Returns the names of the graph's first `count` ports, or those of the signature if it was asked for.
template <class Ports>
std::string json_nodes(const Ports& ports, std::size_t count, bool is_named,
                       const std::vector<tflite::PortName>& names) {
  if (is_named) return json_list(names, json_name);
  return json_list(std::span(ports).first(count),
                   [](const GraphPort& port) { return json_string(port.name); });
}

std::string json_file(const tflite::LoadedModel& loaded, bool is_named) {
  const tflite::FileInfo& info = loaded.info;
  return json_object(
      {{"inputs", json_list(info.inputs, json_quantization)},
       {"outputs", json_list(info.outputs, json_quantization)},
       {"signature", json_object({{"inputs", json_tensors(info.signature.inputs)},
                                  {"outputs", json_tensors(info.signature.outputs)}})},
       {"inputNodes", json_nodes(loaded.model.inputs(), info.inputs.size(), is_named, info.signature.inputs)},
       {"outputNodes",
        json_nodes(loaded.model.outputs(), info.outputs.size(), is_named, info.signature.outputs)},
       {"signatures", json_list(info.signatures, json_signature)},
       {"states", json_list(info.states, json_state)},
       {"topology", json_topology(info.custom_nodes)}});
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
    std::string file = json_file(loaded, !options.signature.empty());
    return add_graph(std::make_unique<GraphModelEntry>(std::move(loaded.model), std::move(options.custom_ops),
                                                       std::move(file)));
  });
}

}  // namespace tenure::wasm
