// Predicts with the iris model in C++: tensors are values, freed at the end of their block.
#include <cstdio>

#include <tenure/tenure.h>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s path/to/iris/model.json\n", argv[0]);
    return 2;
  }
  try {
    tenure::LayersModel model = tenure::load_layers_model_file(argv[1]);
    const tenure::Tensor flowers =
        tenure::Tensor::from({5.1F, 3.5F, 1.4F, 0.2F, 6.2F, 2.9F, 4.3F, 1.3F}, {2, 4});
    const tenure::Tensor probabilities = model.predict({&flowers, 1}).front();
    const tenure::Tensor best = tenure::arg_max(probabilities, {.axis = 1});
    constexpr const char* kSpecies[] = {"setosa", "versicolor", "virginica"};
    for (int i = 0; i < probabilities.dim(0); ++i) {
      const int species = best.values<std::int32_t>()[static_cast<std::size_t>(i)];
      const float probability = probabilities.values<float>()[static_cast<std::size_t>(i * 3 + species)];
      std::printf("%s %.4f\n", kSpecies[species], static_cast<double>(probability));
    }
  } catch (const tenure::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
