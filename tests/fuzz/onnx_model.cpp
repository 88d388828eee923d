// Fuzzes .onnx files. Runs a model that loads, unless it has a loop, which might be infinite.

#include "fuzz.h"
#include "import/onnx/load.h"
#include "zeros.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tenure;
  return fuzz::run([&] {
    const std::string_view file(reinterpret_cast<const char*>(data), size);
    GraphModel model = onnx::load_model(std::as_bytes(std::span(data, size)));
    std::vector<std::string> inputs;
    std::vector<std::string> outputs;
    Tensors values;
    for (const GraphPort& input : model.inputs()) {
      inputs.push_back(input.name);
      values.push_back(fuzz::zeros(input.shape.value_or(Shape()), input.dtype.value_or(DType::kFloat32)));
    }
    for (const GraphPort& output : model.outputs()) outputs.push_back(output.name);
    const int program = model.compile(inputs, outputs);
    if (file.find("Loop") == std::string_view::npos) model.run(program, values);
  });
}
