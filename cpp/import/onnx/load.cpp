#include "import/onnx/load.h"

#include <algorithm>

#include "core/error.h"
#include "core/run/tape.h"
#include "import/onnx/model_proto.h"
#include "import/onnx/reader.h"
#include "import/onnx/row.h"

namespace tenure::onnx {
namespace {

ModelProto read_file(std::span<const std::byte> file) {
  try {
    ModelProto model = read_model_proto(file);
    check(model.graph.has_value(), "it has no graph");
    return model;
  } catch (const Error& error) {
    fail_with(error.code(), text("the file is no ONNX model: ", error.what()));
  }
}

}  // namespace

bool has_rare_ops(std::span<const std::byte> file) {
  const ModelProto model = read_file(file);
  std::vector<std::span<const NodeProto>> lists{model.graph->nodes};
  for (const FunctionProto& function : model.functions) lists.emplace_back(function.nodes);
  // A worklist instead of recursion: graphs in a file may nest to any depth.
  for (std::size_t i = 0; i < lists.size(); ++i) {
    for (const NodeProto& node : lists[i]) {
      const bool is_function =
          std::any_of(model.functions.begin(), model.functions.end(), [&](const FunctionProto& function) {
            return function.name == node.op && function.domain == node.domain;
          });
      if (!is_function && is_rare(node.domain, node.op)) return true;
      for (const AttributeProto& attribute : node.attributes) {
        for (const GraphProto& graph : attribute.graphs) lists.emplace_back(graph.nodes);
      }
    }
  }
  return false;
}

GraphModel load_model(std::span<const std::byte> file, const LoadOptions& options) {
  const TapePause no_tape;
  const ModelProto model = read_file(file);
  Import import = read_model(model, options);
  return {std::move(import.weights), std::move(import.definition), std::move(import.outputs)};
}

}  // namespace tenure::onnx
