// The raw calls that load ONNX models. Loaded models are called as other graph models (graph.cpp).

#include "import/onnx/load.h"
#include "model/files/json.h"
#include "wasm/adopt_weights.h"
#include "wasm/call.h"
#include "wasm/graph_entries.h"
#include "wasm/json_text.h"

namespace tenure::wasm {

/// Returns JSON of what an .onnx file of `bytes` bytes needs to be loaded: {"parts": [name], the parts of
/// the engine, "external": [[path, offset, length or null]]}.
TENURE_CALL int tn_onnx_requirements(std::uintptr_t file, std::size_t bytes) {
  return return_json([&] {
    const onnx::Requirements found =
        onnx::find_requirements({reinterpret_cast<const std::byte*>(file), bytes});
    return text(
        "{\"parts\":", json_list(found.parts, [](std::string_view part) { return json_string(part); }),
        ",\"external\":",
        json_list(found.external,
                  [](const onnx::ExternalRange& range) {
                    return text("[", json_string(range.path), ",", range.offset, ",",
                                range.length ? text(*range.length) : "null", "]");
                  }),
        "}");
  });
}

/// Loads an .onnx file. `table` has the address and the bytes of `count` blocks as uint32: the file, and then
/// files of external data or ranges of them. The engine takes ownership of the blocks, also if it throws. At
/// `text` is JSON, `length` bytes long: {"files": [[path, offset of the range]], "dimensions":
/// [[name, extent]]}. A tensor of all bytes of a range stays in its block. Returns the model's number.
TENURE_CALL int tn_onnx_load(std::uintptr_t table, std::size_t count, std::uintptr_t text,
                             std::size_t length) {
  return guarded([&] {
    std::vector<StoragePtr> blocks = adopt_blocks(table, count);
    const Json json = Json::parse({reinterpret_cast<const char*>(text), length}, "the options");
    const Json* files = json.find("files");
    const Json* dimensions = json.find("dimensions");
    check(files && dimensions && files->items().size() + 1 == count, "the options are incomplete");
    const WeightData model(std::move(blocks[0]));
    onnx::LoadOptions options;
    for (std::size_t i = 1; i < count; ++i) {
      const std::vector<Json>& file = files->items()[i - 1].items();
      const WeightData data(std::move(blocks[i]));
      options.files.push_back(
          {file.at(0).string(), data.bytes, static_cast<std::uint64_t>(file.at(1).number()), data.owner});
    }
    for (const Json& dimension : dimensions->items()) {
      const std::string& name = dimension.items().at(0).string();
      const Json& extent = dimension.items().at(1);
      check(extent.is_int() && extent.to_int() >= 0, "the free dimension \"", name, "\" is ", extent,
            ", expected an integer from 0 to 2147483647");
      options.free_dimensions.emplace_back(name, extent.to_int());
    }
    return add_graph(std::make_unique<GraphModelEntry>(onnx::load_model(model.bytes, options)));
  });
}

}  // namespace tenure::wasm
