// The raw calls that load ONNX models. Loaded models are called as other graph models (graph.cpp).

#include "import/onnx/load.h"
#include "model/files/json.h"
#include "wasm/adopt_weights.h"
#include "wasm/call.h"
#include "wasm/graph_entries.h"

namespace tenure::wasm {

/// Returns 1 if an .onnx file of `bytes` bytes has ops of the part "onnx_rare", else 0.
TENURE_CALL int tn_onnx_has_rare_ops(std::uintptr_t file, std::size_t bytes) {
  return guarded(
      [&] { return onnx::has_rare_ops({reinterpret_cast<const std::byte*>(file), bytes}) ? 1 : 0; });
}

/// Loads an .onnx file. `block`, of `bytes` bytes, has the file and then those of external data; the engine
/// takes ownership of it. At `text` is JSON, `length` bytes long: {"model": bytes of the file, "files":
/// [[path, bytes]], "dimensions": [[name, extent]]}. Returns the model's number.
TENURE_CALL int tn_onnx_load(std::uintptr_t block, std::size_t bytes, std::uintptr_t text,
                             std::size_t length) {
  return guarded([&] {
    const WeightData data = adopt_weights(block, bytes);
    const Json json = Json::parse({reinterpret_cast<const char*>(text), length}, "the options");
    std::span<const std::byte> rest = data.bytes;
    const auto take = [&](double count) {
      check(count >= 0 && count <= static_cast<double>(rest.size()), "the files are shorter than ", count,
            " bytes");
      const auto taken = rest.first(static_cast<std::size_t>(count));
      rest = rest.subspan(static_cast<std::size_t>(count));
      return taken;
    };
    const Json* size = json.find("model");
    const Json* files = json.find("files");
    const Json* dimensions = json.find("dimensions");
    check(size && files && dimensions, "the options are incomplete");
    const std::span<const std::byte> model = take(size->number());
    onnx::LoadOptions options;
    for (const Json& file : files->items())
      options.files.push_back({file.items().at(0).string(), take(file.items().at(1).number())});
    for (const Json& dimension : dimensions->items())
      options.free_dimensions.emplace_back(dimension.items().at(0).string(),
                                           dimension.items().at(1).to_int());
    return add_graph(std::make_unique<GraphModelEntry>(onnx::load_model(model, options)));
  });
}

}  // namespace tenure::wasm
