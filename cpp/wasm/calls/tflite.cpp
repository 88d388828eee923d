// The raw calls that load TensorFlow Lite models. Loaded models are called as other graph models
// (graph.cpp).

#include "import/tflite/load.h"
#include "model/files/json.h"
#include "wasm/call.h"
#include "wasm/graph_entries.h"
#include "wasm/json_text.h"
#include "wasm/tflite_json.h"

namespace tenure::wasm {
namespace {

// Objects are put together as text: json_object() would be a function of another part of the engine.

std::string json_quantization(const tflite::PortQuantization& port) {
  if (port.scale == 0) return "null";
  return text("{\"scale\":", static_cast<double>(port.scale), ",\"zeroPoint\":", port.zero_point, "}");
}

/// Returns a JSON array of `describe` of `count` elements of `size` bytes each.
std::string describe_each(const void* elements, std::size_t count, std::size_t size,
                          std::string (*describe)(const void* element)) {
  std::string json = "[";
  for (std::size_t i = 0; i < count; ++i)
    json += text(i > 0 ? "," : "", describe(static_cast<const std::byte*>(elements) + i * size));
  return json += ']';
}

/// Returns a JSON array of `describe` of each element: json_list(), with one loop for all types.
template <auto describe, class T>
std::string json_array(const std::vector<T>& elements) {
  return describe_each(elements.data(), elements.size(), sizeof(T),
                       [](const void* element) { return describe(*static_cast<const T*>(element)); });
}

std::string json_name(const tflite::PortName& port) { return json_string(port.name); }
std::string json_word(const std::string& word) { return json_string(word); }

std::string json_signature(const tflite::SignatureInfo& signature) {
  return text("{\"key\":", json_string(signature.key),
              ",\"inputs\":", json_array<json_name>(signature.inputs),
              ",\"outputs\":", json_array<json_name>(signature.outputs), "}");
}

std::string json_tensor(const tflite::PortName& port) {
  return text(json_string(port.name), ":{\"name\":", json_string(port.tensor), "}");
}

/// Returns the tensors of a signature's names, as the signature of a GraphDef has them.
std::string json_tensors(const std::vector<tflite::PortName>& ports) {
  std::string json = json_array<json_tensor>(ports);
  json.front() = '{';
  json.back() = '}';
  return json;
}

std::string json_graph_signature(const tflite::FileInfo& info) {
  if (info.signature_index == info.signatures.size()) return "{\"inputs\":{},\"outputs\":{}}";
  const tflite::SignatureInfo& signature = info.signatures[info.signature_index];
  return text("{\"inputs\":", json_tensors(signature.inputs),
              ",\"outputs\":", json_tensors(signature.outputs), "}");
}

std::string json_file(const tflite::FileInfo& info) {
  return text("{\"inputs\":", json_array<json_quantization>(info.inputs),
              ",\"outputs\":", json_array<json_quantization>(info.outputs),
              ",\"signature\":", json_graph_signature(info),
              ",\"inputNodes\":", json_array<json_word>(info.input_names),
              ",\"outputNodes\":", json_array<json_word>(info.output_names),
              ",\"signatures\":", json_array<json_signature>(info.signatures),
              ",\"states\":", info.states.empty() ? "[]" : json_states(info.states), ",\"topology\":",
              info.custom_nodes.empty() ? "{\"node\":[]}" : json_topology(info.custom_nodes), "}");
}

}  // namespace

/// Loads a .tflite file of `bytes` bytes at `address`. At `text` is a list in JSON, `length` bytes long: the
/// key of the signature to run or "", and the names of the custom ops that JavaScript runs. With
/// `is_quantized`, quantized inputs and outputs are the stored integers. Returns the model's number, or -2 if
/// it needs the part "tflite_rare" and `has_rare_part` is 0. tn_graph_describe() has the facts of the file as
/// "file".
TENURE_CALL int tn_tflite_load(std::uintptr_t address, std::size_t bytes, std::uintptr_t text,
                               std::size_t length, int is_quantized, int has_rare_part) {
  return guarded([&] {
    const Json names = Json::parse({reinterpret_cast<const char*>(text), length}, "the options");
    check(!names.items().empty(), "the options are incomplete");
    tflite::LoadOptions options{.signature = names.items()[0].string(), .is_quantized = is_quantized != 0};
    for (std::size_t i = 1; i < names.items().size(); ++i)
      options.custom_ops.push_back(names.items()[i].string());
    std::optional<tflite::LoadedModel> loaded = tflite::try_load_model(
        {reinterpret_cast<const std::byte*>(address), bytes}, options, has_rare_part != 0);
    if (!loaded) return -2;
    std::string file = json_file(loaded->info);
    return add_graph(std::make_unique<GraphModelEntry>(std::move(loaded->model),
                                                       std::move(options.custom_ops), std::move(file)));
  });
}

}  // namespace tenure::wasm
