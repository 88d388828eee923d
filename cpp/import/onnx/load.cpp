#include "import/onnx/load.h"

#include "core/error.h"
#include "core/run/tape.h"
#include "import/onnx/model_proto.h"
#include "import/onnx/reader.h"

namespace tenure::onnx {

GraphModel load_model(std::span<const std::byte> file, const LoadOptions& options) {
  const TapePause no_tape;
  std::optional<ModelProto> model;
  try {
    model = read_model_proto(file);
    check(model->graph.has_value(), "it has no graph");
  } catch (const Error& error) {
    fail_with(error.code(), text("the file is no ONNX model: ", error.what()));
  }
  Import import = read_model(*model, options);
  return {std::move(import.weights), std::move(import.definition), std::move(import.outputs)};
}

}  // namespace tenure::onnx
