// Fuzzes graph models: a line with the topology, one with the manifest of weights, and their bytes. Runs a
// model that loads, unless it has a loop, which might be infinite.

#include "fuzz.h"
#include "import/graphdef/load.h"
#include "zeros.h"

namespace {

bool may_loop(std::string_view topology) {
  for (const std::string_view word : {"While", "NextIteration", "PartitionedCall"}) {
    if (topology.find(word) != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tenure;
  return fuzz::run([&] {
    const auto [topology, specs, weights] = fuzz::parts_of<3>({data, size});
    GraphModel model = graphdef::load_model(topology, specs, fuzz::weights_of(weights));
    std::vector<std::string> names;
    Tensors inputs;
    for (const GraphPort& input : model.inputs()) {
      names.push_back(input.name);
      inputs.push_back(fuzz::zeros(input.shape.value_or(Shape()), input.dtype.value_or(DType::kFloat32)));
    }
    const int program = model.compile(names, model.leaves());
    if (!may_loop(topology)) model.run(program, inputs);
  });
}
