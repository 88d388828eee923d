// The raw call that loads TensorFlow Lite models. Loaded models are called as other graph models
// (graph_calls.cpp).

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

std::string json_port_name(const tflite::PortName& port) {
  return json_list(std::vector{port.name, port.tensor}, json_string);
}

std::string json_signature(const tflite::SignatureInfo& signature) {
  return json_object({{"key", json_string(signature.key)},
                      {"inputs", json_list(signature.inputs, json_port_name)},
                      {"outputs", json_list(signature.outputs, json_port_name)}});
}

std::string json_custom_node(const tflite::CustomNode& node) {
  return json_object(
      {{"name", json_string(node.name)},
       {"of", json_string(node.function)},
       {"op", json_string(node.op)},
       {"options", json_list(node.options, [](std::uint8_t byte) { return std::to_string(byte); })}});
}

std::string json_info(const tflite::FileInfo& info) {
  return json_object({{"inputs", json_list(info.inputs, json_quantization)},
                      {"outputs", json_list(info.outputs, json_quantization)},
                      {"signatures", json_list(info.signatures, json_signature)},
                      {"nodes", json_list(info.custom_nodes, json_custom_node)},
                      {"states", std::to_string(info.states)}});
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
    return add_graph(std::make_unique<GraphModelEntry>(std::move(loaded.model), std::move(options.custom_ops),
                                                       json_info(loaded.info)));
  });
}

}  // namespace tenure::wasm
