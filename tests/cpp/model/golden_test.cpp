#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "catch.h"
#include "core/memory/allocator.h"
#include "core/text.h"
#include "import/keras/model/layers_model.h"
#include "model/files/json.h"

/// Real models must compute what TensorFlow.js 4.22 does: golden.json beside each model.json has its outputs.
namespace tenure {
namespace {

std::string models_folder() {
  const char* shared = std::getenv("TENURE_SHARED");
  return std::string(shared ? shared : TENURE_SHARED) + "/models/";
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The generator of the inputs of the golden files: x' = 1664525 x + 1013904223 mod 2^32, seed 42.
class Generator {
 public:
  double next() {
    state_ = state_ * 1664525U + 1013904223U;
    return state_ / 4294967296.0;
  }

 private:
  std::uint32_t state_ = 42;
};

Tensors make_inputs(const LayersModel& model, const Json& golden) {
  Generator generator;
  Tensors inputs;
  const auto& wanted = golden.find("inputs")->items();
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    Shape shape;
    for (const Json& extent : wanted[k].find("shape")->items()) shape.push_back(extent.to_int());
    const double range = wanted[k].find("range")->number();
    Tensor tensor({shape, model.inputs()[k].dtype});
    for (std::size_t i = 0; i < tensor.elements(); ++i) {
      const double value = generator.next();
      if (tensor.dtype() == DType::kInt32) {
        tensor.mutable_data<std::int32_t>()[i] = static_cast<std::int32_t>(value * range);
      } else {
        tensor.mutable_data<float>()[i] = static_cast<float>(range == 1 ? value : std::floor(value * range));
      }
    }
    inputs.push_back(tensor);
  }
  return inputs;
}

/// Returns the largest difference, relative to the mean of the absolute outputs.
double worst_difference(const Tensor& output, const Json& golden) {
  const double scale = std::max(golden.find("absmean")->number(), 1e-6);
  const auto step = static_cast<std::size_t>(golden.find("step")->to_int());
  const auto& samples = golden.find("samples")->items();
  double worst = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double difference = std::abs(samples[i].number() - output.values<float>()[i * step]) / scale;
    if (!(difference <= worst)) worst = std::isnan(difference) ? INFINITY : difference;
  }
  return worst;
}

void check_model(const std::string& name) {
  const std::string folder = models_folder() + name;
  const std::string golden_text = read_file(folder + "/golden.json");
  if (golden_text.empty()) SKIP("no golden.json in " << folder << " (set TENURE_SHARED)");
  const Json golden = Json::parse(golden_text, "golden.json");
  LayersModel model = load_layers_model_file(folder + "/model.json");
  const Tensors inputs = make_inputs(model, golden);
  const Tensors outputs = model.predict(inputs);
  const auto& expected = golden.find("outputs")->items();
  REQUIRE(outputs.size() == expected.size());
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    std::vector<int> shape;
    for (const Json& extent : expected[k].find("shape")->items()) shape.push_back(extent.to_int());
    CHECK(std::vector<int>(outputs[k].shape().begin(), outputs[k].shape().end()) == shape);
    const double worst = worst_difference(outputs[k], expected[k]);
    INFO(name << " output " << k << " differs by " << worst << " of mean |output|");
    CHECK(worst < 1e-4);
  }
}

}  // namespace

TEST_CASE("Models compute what TensorFlow.js does", "[model][golden]") {
  const auto name =
      GENERATE(as<std::string>(), "iris", "abalone", "dense-legacy", "embedding-gru", "lstm", "mobilenet025",
               "mobilenet025-uint8", "mnist-cnn-float16-sharded", "functional-two-heads");
  DYNAMIC_SECTION(name) {
    const std::size_t before = allocator_stats().live;
    check_model(name);
    CHECK(allocator_stats().live == before);
  }
}

}  // namespace tenure
