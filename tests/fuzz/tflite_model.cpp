// Fuzzes .tflite files. Runs a model that loads, unless it may have a loop, which might be infinite.

#include <algorithm>

#include "fuzz.h"
#include "import/tflite/load.h"
#include "zeros.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tenure;
  return fuzz::run([&] {
    // A file with a WHILE has its number, 119, in a byte.
    const bool may_loop = std::find(data, data + size, 119) != data + size;
    GraphModel model = tflite::load_model(std::as_bytes(std::span(data, size))).model;
    std::vector<std::string> inputs;
    std::vector<std::string> outputs;
    Tensors values;
    for (const GraphPort& input : model.inputs()) {
      inputs.push_back(input.name);
      values.push_back(fuzz::zeros(input.shape.value_or(Shape()), input.dtype.value_or(DType::kFloat32)));
    }
    for (const GraphPort& output : model.outputs()) outputs.push_back(output.name);
    const int program = model.compile(inputs, outputs);
    if (!may_loop) model.run(program, values);
  });
}
