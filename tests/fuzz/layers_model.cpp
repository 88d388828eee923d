// Fuzzes layers models: the model.json in a line, and the bytes of its weights. Predicts with a model that
// loads.

#include "import/keras/model/layers_model.h"
#include "fuzz.h"
#include "zeros.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tenure;
  return fuzz::run([&] {
    const auto [json, weights] = fuzz::parts_of<2>({data, size});
    LayersModel model = LayersModel::load(json, "", fuzz::weights_of(weights));
    model.prepare();
    Tensors inputs;
    for (const ModelPort& port : model.inputs()) inputs.push_back(fuzz::zeros(port.shape, port.dtype));
    model.predict(inputs);
  });
}
