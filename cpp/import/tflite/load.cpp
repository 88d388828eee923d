#include "import/tflite/load.h"

#include <algorithm>

#include "core/error.h"
#include "core/run/dispatch.h"
#include "core/run/tape.h"
#include "import/tflite/reader.h"

namespace tenure::tflite {
namespace {

bool is_rare_tensor(const TensorDef& tensor) {
  return tensor.type == ElementType::kString || tensor.sparsity.has_value();
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

}  // namespace

bool needs_rare_part(std::span<const std::byte> bytes, bool has_signature) {
  if (has_signature) return true;
  try {
    const FlatBuffer file(bytes);
    const ModelDef model = read_model_def(file);
    if (std::any_of(model.codes.begin(), model.codes.end(), is_rare)) return true;
    for (const SubgraphDef& graph : model.subgraphs) {
      if (std::any_of(graph.tensors.begin(), graph.tensors.end(), is_rare_tensor)) return true;
      for (const OperatorDef& op : graph.operators) {
        if (is_rare_convolution(graph, op, model.codes[op.code].builtin)) return true;
      }
    }
    return false;
  } catch (const Error&) {
    return true;
  }
}

LoadedModel load_model(std::span<const std::byte> bytes, const LoadOptions& options) {
  const TapePause no_tape;
  // Constants are converted on the CPU, because a lost device would lose them.
  const BackendGuard on_cpu(cpu_backend());
  const FlatBuffer file(bytes);
  ModelDef model;
  try {
    model = read_model_def(file);
  } catch (const Error& error) {
    fail_with(error.code(), text("the file is no TensorFlow Lite model: ", error.what()));
  }
  Import import = read_model(model, options);
  return {GraphModel(std::move(import.weights), std::move(import.definition), std::move(import.outputs)),
          std::move(import.info)};
}

}  // namespace tenure::tflite
