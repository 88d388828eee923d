#include "import/tflite/load.h"

#include "core/error.h"
#include "core/run/dispatch.h"
#include "core/run/tape.h"
#include "import/tflite/reader.h"

namespace tenure::tflite {

LoadedModel load_model(std::span<const std::byte> bytes, const LoadOptions& options) {
  const TapePause no_tape;
  // Constants are converted on the CPU, because a lost device would lose them.
  const BackendGuard on_cpu(cpu_backend());
  const FlatBuffer file(bytes);
  std::optional<ModelDef> model;
  try {
    model = read_model_def(file);
  } catch (const Error& error) {
    fail_with(error.code(), text("the file is no TensorFlow Lite model: ", error.what()));
  }
  Import import = read_model(*model, options);
  return {GraphModel(std::move(import.weights), std::move(import.definition), std::move(import.outputs)),
          std::move(import.info)};
}

}  // namespace tenure::tflite
