#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "core/text.h"
#include "import/keras/model/layers_model.h"

/// Small models made in tests: topologies as JSON, weights by name.
namespace tenure::test {

struct TestWeight {
  std::string name;
  Tensor tensor;
};

/// Returns pseudo-random float32 values in [-1, 1), the same for the same seed.
inline Tensor random_values(const Shape& shape, std::uint32_t seed = 1) {
  Tensor tensor({shape, DType::kFloat32});
  std::uint32_t state = seed * 7919U;
  for (std::size_t i = 0; i < tensor.elements(); ++i) {
    state = state * 1664525U + 1013904223U;
    tensor.mutable_data<float>()[i] = static_cast<float>(state / 2147483648.0 - 1);
  }
  return tensor;
}

/// Returns the weight specs as JSON, {"name": "dense/kernel", "shape": [2,3], "dtype": "float32"} for each.
inline std::string weight_specs_json(const std::vector<TestWeight>& weights) {
  std::string specs;
  for (const TestWeight& weight : weights) {
    specs += text(specs.empty() ? "" : ",", R"({"name":")", weight.name, R"(","shape":)",
                  weight.tensor.shape(), R"(,"dtype":")", get_name(weight.tensor.dtype()), "\"}");
  }
  return "[" + specs + "]";
}

inline std::vector<std::byte> weight_bytes(const std::vector<TestWeight>& weights) {
  std::vector<std::byte> bytes;
  for (const TestWeight& weight : weights) {
    const auto* data = weight.tensor.data<std::byte>();
    bytes.insert(bytes.end(), data, data + weight.tensor.bytes());
  }
  return bytes;
}

inline LayersModel load(const std::string& topology, const std::vector<TestWeight>& weights = {}) {
  return LayersModel::load(topology, weight_specs_json(weights), weight_bytes(weights));
}

/// Returns a layer as JSON, {"class_name": "Dense", "config": {"name": "dense", ...}}. `fields` are further
/// members of the config.
inline std::string layer(const std::string& class_name, const std::string& name,
                         const std::string& fields = "") {
  return text(R"({"class_name":")", class_name, R"(","config":{"name":")", name, "\"",
              fields.empty() ? "" : ",", fields, "}}");
}

/// Returns a Sequential model as JSON. The first layer must have batch_input_shape.
inline std::string sequential(const std::vector<std::string>& layers) {
  std::string list;
  for (const std::string& one : layers) list += (list.empty() ? "" : ",") + one;
  return text(R"({"class_name":"Sequential","config":{"name":"model","layers":[)", list, "]}}");
}

/// Returns a model of one layer as JSON. `shape` is the shape of the input as JSON, such as "[null,4]".
inline std::string one_layer(const std::string& class_name, const std::string& shape,
                             const std::string& fields = "") {
  return sequential(
      {layer(class_name, "layer", text("\"batch_input_shape\":", shape, fields.empty() ? "" : ",", fields))});
}

/// Returns a layer of a Functional model as JSON. `nodes` are its inbound_nodes.
inline std::string node(const std::string& class_name, const std::string& name, const std::string& fields,
                        const std::string& nodes) {
  return text(R"({"class_name":")", class_name, R"(","name":")", name, R"(","config":{"name":")", name, "\"",
              fields.empty() ? "" : ",", fields, R"(},"inbound_nodes":)", nodes, "}");
}

inline std::string input(const std::string& name, const std::string& shape = "[null,2]") {
  return node("InputLayer", name, "\"batch_input_shape\":" + shape, "[]");
}

inline std::string functional(const std::vector<std::string>& rows, const std::string& inputs,
                              const std::string& outputs, const std::string& name = "m") {
  std::string layers;
  for (const std::string& row : rows) layers += (layers.empty() ? "" : ",") + row;
  return text(R"({"class_name":"Functional","config":{"name":")", name, R"(","layers":[)", layers,
              R"(],"input_layers":)", inputs, R"(,"output_layers":)", outputs, "}}");
}

/// Returns the output of a model with one layer.
inline Tensor run_layer(const std::string& class_name, const std::string& shape, const std::string& fields,
                        const std::vector<TestWeight>& weights, const Tensor& x) {
  LayersModel model = load(one_layer(class_name, shape, fields), weights);
  return model.predict(std::span(&x, 1)).at(0);
}

inline std::vector<float> floats(const Tensor& x) {
  const auto values = x.values<float>();
  return {values.begin(), values.end()};
}

inline bool near(const std::vector<float>& a, const std::vector<float>& b, float tolerance = 1e-5F) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [=](float x, float y) {
    return std::abs(x - y) <= tolerance * std::max(1.0F, std::abs(y));
  });
}

inline std::vector<int> dims(const Shape& shape) { return {shape.begin(), shape.end()}; }

/// Returns the largest absolute difference between elements. NaN only equals NaN. Infinite if the specs
/// differ.
inline float difference(const Tensor& a, const Tensor& b) {
  if (a.spec() != b.spec()) return INFINITY;
  float worst = 0;
  for (std::size_t i = 0; i < a.elements(); ++i) {
    const float x = a.data<float>()[i];
    const float y = b.data<float>()[i];
    if (x == y || (std::isnan(x) && std::isnan(y))) continue;
    const float d = std::abs(x - y);
    if (!(d <= worst)) worst = std::isnan(d) ? INFINITY : d;
  }
  return worst;
}

}  // namespace tenure::test
