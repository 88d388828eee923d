// Fuzzes .onnx files. Runs a model that loads, unless it has a loop, which might be infinite.

#include "fuzz.h"
#include "import/onnx/load.h"
#include "model/executor/program.h"
#include "zeros.h"

namespace {

using namespace tenure;

/// Appends zeros for an input: two tensors for a sequence, one for an optional, none for an optional
/// sequence.
void append_zeros(const GraphPort& input, executor::FlatValues& values) {
  using Counts = executor::FlatValues;
  const bool is_sequence = input.container == "sequence";
  const bool is_absent = input.container == "optional sequence";
  values.counts.push_back(is_sequence ? 2 : is_absent ? Counts::kAbsent : Counts::kTensor);
  for (int i = is_absent ? 1 : 0; i < (is_sequence ? 2 : 1); ++i)
    values.tensors.push_back(
        fuzz::zeros(input.shape.value_or(Shape()), input.dtype.value_or(DType::kFloat32)));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::run([&] {
    const std::string_view file(reinterpret_cast<const char*>(data), size);
    const std::span<const std::byte> bytes = std::as_bytes(std::span(data, size));
    onnx::find_requirements(bytes);
    GraphModel model = onnx::load_model(bytes);
    std::vector<std::string> inputs;
    std::vector<std::string> outputs;
    executor::FlatValues values;
    bool has_containers = false;
    for (const GraphPort& input : model.inputs()) {
      inputs.push_back(input.name);
      append_zeros(input, values);
      has_containers = has_containers || !input.container.empty();
    }
    for (const GraphPort& output : model.outputs()) {
      outputs.push_back(output.name);
      has_containers = has_containers || !output.container.empty();
    }
    const int program = model.compile(inputs, outputs);
    if (file.find("Loop") != std::string_view::npos) return;
    if (!has_containers) {
      model.run(program, values.tensors);
    } else {
      const auto execution = model.start_with_containers(program, values);
      if (!execution->advance()) execution->finish_with_containers();
    }
  });
}
