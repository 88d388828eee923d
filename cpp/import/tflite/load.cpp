#include "import/tflite/load.h"

#include <algorithm>

#include "core/error.h"
#include "core/run/dispatch.h"
#include "core/run/tape.h"
#include "import/tflite/reader.h"

namespace tenure::tflite {
namespace {

bool is_rare_tensor(const TensorDef& tensor) {
  return tensor.type == ElementType::kString || tensor.sparsity || tensor.blocks;
}

/// True if a convolution has dilations, or fewer channels in its filter than in its images.
bool is_rare_convolution(const SubgraphDef& graph, const OperatorDef& op, std::int32_t code) {
  if ((code != kConv && code != kDepthwiseConv) || !op.options) return false;
  const int field = code == kConv ? 4 : 5;
  if (op.options->number(field, 1) != 1 || op.options->number(field + 1, 1) != 1) return true;
  if (code != kConv || op.inputs.size() < 2 || op.inputs[0] < 0 || op.inputs[1] < 0) return false;
  const auto channels = [&](std::size_t input) {
    const std::vector<std::int32_t>& shape = graph.tensors[static_cast<std::size_t>(op.inputs[input])].shape;
    return shape.empty() ? 0 : shape.back();
  };
  return channels(0) != channels(1);
}

bool needs_rare_part(const ModelDef& model) {
  if (std::any_of(model.codes.begin(), model.codes.end(), is_rare)) return true;
  for (const SubgraphDef& graph : model.subgraphs) {
    if (std::any_of(graph.tensors.begin(), graph.tensors.end(), is_rare_tensor)) return true;
    for (const OperatorDef& op : graph.operators) {
      if (is_rare_convolution(graph, op, model.codes[op.code].builtin)) return true;
    }
  }
  return false;
}

}  // namespace

std::optional<LoadedModel> try_load_model(std::span<const std::byte> bytes, const LoadOptions& options,
                                          bool has_rare_part) {
  if (!has_rare_part && !options.signature.empty()) return {};
  const TapePause no_tape;
  // Constants are converted on the CPU, because a lost device would lose them.
  const BackendGuard on_cpu(cpu_backend());
  const FlatBuffer file(bytes);
  ModelDef model;
  try {
    model = read_model_def(file);
    if (!has_rare_part && needs_rare_part(model)) return {};
  } catch (const Error& error) {
    fail_with(error.code(), text("the file is not a TensorFlow Lite model: ", error.what()));
  }
  Import import = read_model(model, options);
  return LoadedModel{
      GraphModel(std::move(import.weights), std::move(import.definition), std::move(import.outputs)),
      std::move(import.info)};
}

LoadedModel load_model(std::span<const std::byte> bytes, const LoadOptions& options) {
  return std::move(*try_load_model(bytes, options, true));
}

}  // namespace tenure::tflite
