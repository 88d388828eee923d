#include <cstring>

#include "catch.h"
#include "core/error.h"
#include "core/memory/allocator.h"
#include "core/memory/memory_tracked.h"
#include "core/run/fault_injection.h"
#include "import/graphdef/graphs.h"
#include "model/files/json.h"
#include "model/files/weights.h"

/// Quantized weights stay in their stored form until they are read.
namespace tenure {
namespace {

using test::difference;
using test::random_values;

constexpr std::int32_t kSide = 128;
constexpr std::size_t kCount = std::size_t{kSide} * kSide;
constexpr std::size_t kFloats = kCount * sizeof(float);
constexpr int kLayers = 4;

struct Encoded {
  std::string name;
  std::size_t bytes;         ///< per element
  std::string quantization;  ///< members of "quantization" in a weight's spec
};
const Encoded kEncodings[] = {{"uint8", 1, R"("dtype":"uint8","min":-0.5,"scale":0.0039)"},
                              {"uint16", 2, R"("dtype":"uint16","min":-0.5,"scale":0.000015)"},
                              {"float16", 2, R"("dtype":"float16")"}};

/// The specs and data of the weights "w0", "w1" ... as stored in a file.
struct File {
  std::string specs;
  std::vector<std::byte> data;
};

File packed(const Encoded& encoded, const std::string& suffix) {
  File file;
  for (int i = 0; i < kLayers; ++i) {
    file.specs += text(i == 0 ? "[" : ",", R"({"name":"w)", i, suffix, R"(","shape":[)", kSide, ",", kSide,
                       R"(],"dtype":"float32","quantization":{)", encoded.quantization, "}}");
  }
  file.specs += "]";
  // Bytes below 40: half floats are small numbers then.
  for (std::size_t i = 0; i < kLayers * kCount * encoded.bytes; ++i)
    file.data.push_back(static_cast<std::byte>(i * 37 % 40));
  return file;
}

/// Returns the same weights in float32.
File unpacked(const File& file) {
  const auto weights = decode_weights(parse_weight_specs(Json::parse(file.specs, "specs")), file.data);
  std::vector<test::TestWeight> floats;
  for (const NamedTensor& weight : weights) floats.push_back({weight.name, weight.tensor});
  return {test::weight_specs_json(floats), test::weight_bytes(floats)};
}

std::string graph_topology() {
  std::vector<test::GraphNode> nodes = {test::placeholder("x")};
  for (int i = 0; i < kLayers; ++i) {
    nodes.push_back(test::constant(text("w", i)));
    nodes.push_back({text("y", i), "MatMul", {i == 0 ? "x" : text("y", i - 1), text("w", i)}, ""});
  }
  return text(R"({"node":)", test::nodes_json(nodes), "}");
}

std::string layers_topology() {
  std::vector<std::string> layers;
  for (int i = 0; i < kLayers; ++i) {
    const std::string first = i == 0 ? text(R"(,"batch_input_shape":[null,)", kSide, "]") : "";
    layers.push_back(test::layer("Dense", text("w", i), text(R"("use_bias":false,"units":)", kSide, first)));
  }
  return test::sequential(layers);
}

/// Adapters with the same interface for models of both formats.
struct GraphModelAdapter {
  static constexpr const char* kSuffix = "";
  explicit GraphModelAdapter(const File& file)
      : model(graphdef::load_model(graph_topology(), file.specs, file.data)) {}
  Tensor predict(const Tensor& x) {
    return test::run_graph(model, {"x"}, {text("y", kLayers - 1)}, {x}).at(0);
  }
  Tensor weight(std::size_t i) const { return model.weights()[i].tensor; }
  GraphModel model;
};
struct LayersModelAdapter {
  static constexpr const char* kSuffix = "/kernel";
  explicit LayersModelAdapter(const File& file)
      : model(LayersModel::load(layers_topology(), file.specs, file.data)) {}
  Tensor predict(const Tensor& x) { return model.predict(Tensors{x}).at(0); }
  Tensor weight(std::size_t i) const { return model.weights()[i].tensor; }
  LayersModel model;
};

std::size_t live() { return allocator_stats().live; }

}  // namespace

TEMPLATE_TEST_CASE("A model of weights in fewer bits computes what its floats do, in no more memory",
                   "[model][weights]", GraphModelAdapter, LayersModelAdapter) {
  const Tensor x = random_values({3, kSide});
  for (const Encoded& encoded : kEncodings) {
    INFO(encoded.name);
    const File file = packed(encoded, TestType::kSuffix);
    const File floats = unpacked(file);
    const std::size_t in_file = kLayers * kCount * encoded.bytes;
    const auto values = decode_weights(parse_weight_specs(Json::parse(floats.specs, "specs")), floats.data);
    trim_memory();
    const std::size_t before = live();
    std::vector<float> expected;
    std::size_t of_floats = 0;
    {
      TestType model(floats);
      expected = test::floats(model.predict(x));
      of_floats = live() - before;
    }
    trim_memory();
    {
      constexpr std::size_t kOverhead = 16384;  // the arena, and the blocks' headers
      constexpr std::size_t kPanels = kLayers * kFloats;
      TestType model(file);
      CHECK(live() - before < in_file + kOverhead);
      // Panels replace the quantized data one weight at a time. That weight is in memory in three forms
      // meanwhile.
      set_memory_budget(allocator_stats().live + allocator_stats().pooled + kPanels + kFloats + kOverhead);
      CHECK(test::floats(model.predict(x)) == expected);
      set_memory_budget(kNoBudget);
      CHECK(live() - before < kPanels + kOverhead);
      CHECK(live() - before <= of_floats);
      CHECK(model.model.bytes() < kPanels + kOverhead);

      // Reading a weight materializes its values for good.
      for (std::size_t i = 0; i < kLayers; ++i) CHECK(difference(model.weight(i), values[i].tensor) == 0);
      CHECK(live() - before < 2 * kPanels + kOverhead);
      CHECK(test::floats(model.predict(x)) == expected);
    }
    trim_memory();
    CHECK(live() == before);
  }
}

TEST_CASE("Packed bytes are unpacked for a while, or for good", "[core][weights]") {
  const File file = packed(kEncodings[0], "");
  const auto weights = decode_weights(parse_weight_specs(Json::parse(file.specs, "specs")), file.data);
  Storage& storage = *weights[0].tensor.storage().get();
  const float first = -0.5F;
  CHECK(storage.bytes() == kFloats);
  CHECK(storage.on_cpu());
  const std::size_t in_file = storage.bytes_on_cpu();
  CHECK(in_file < kCount + 1024);
  {
    const ScopedMaterialization outer;
    CHECK(weights[0].tensor.values<float>()[0] == first);
    {
      const ScopedMaterialization inner;
      CHECK(weights[1].tensor.values<float>()[0] == weights[0].tensor.values<float>()[kCount % 40]);
      CHECK(weights[2].tensor.data<float>() != nullptr);
      weights[2].tensor.storage()->materialize();
    }
    CHECK(weights[1].tensor.storage()->bytes_on_cpu() == in_file);
    CHECK(storage.bytes_on_cpu() >= in_file + kFloats);
    storage.evict();
    CHECK(storage.bytes_on_cpu() == in_file);
    CHECK(weights[0].tensor.values<float>()[0] == first);
  }
  CHECK(storage.bytes_on_cpu() == in_file);
  CHECK(weights[2].tensor.storage()->bytes_on_cpu() == allocated_size(kFloats + Storage::kSlack));
  CHECK(weights[0].tensor.values<float>()[0] == first);
  CHECK(storage.bytes_on_cpu() == allocated_size(kFloats + Storage::kSlack));
  storage.evict();
  CHECK(weights[0].tensor.values<float>()[0] == first);
}

#ifdef TENURE_DEBUG
TEMPLATE_TEST_CASE("Whatever fails while weights are packed or unpacked, nothing of it is left",
                   "[model][weights][fault_injection]", GraphModelAdapter, LayersModelAdapter) {
  const File file = packed(kEncodings[0], TestType::kSuffix);
  const Tensor x = random_values({3, kSide});
  trim_memory();
  const std::size_t before = live();
  int failures = 0;
  for (bool done = false; !done; ++failures) {
    fault_injection::fail_allocation(failures);
    try {
      TestType model(file);
      const std::size_t loaded = live();
      const std::size_t in_file = model.weight(0).storage()->bytes_on_cpu();
      try {
        model.predict(x);
        done = true;
      } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::kOutOfMemory);
        // A plan made before the failure may stay, and weights in the form into which it has converted them.
        trim_memory();
        std::size_t unpacked = 0;
        for (std::size_t i = 0; i < kLayers; ++i) {
          const std::size_t held = model.weight(i).storage()->bytes_on_cpu();
          if (held >= kFloats) unpacked += held - in_file;
        }
        CHECK(live() == loaded + unpacked);
      }
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::kOutOfMemory);
    }
    trim_memory();
    CHECK(live() == before);
  }
  fault_injection::fail_allocation(-1);
  CHECK(failures > 3 * kLayers);
}
#endif

}  // namespace tenure
