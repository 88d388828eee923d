// Models as a class: load, describe, predict.

#include <emscripten/bind.h>

#include "model/layers_model.h"
#include "owner/ownership.h"
#include "wasm/scratch.h"

namespace tenure::wasm {
namespace {

/// As JSON has it.
std::string quoted(std::string_view words) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string json = "\"";
  for (const char c : words) {
    if (c == '"' || c == '\\') json += '\\';
    if (static_cast<unsigned char>(c) >= ' ') {
      json += c;
    } else {
      json += "\\u00";
      json += kHex[static_cast<unsigned char>(c) / 16];
      json += kHex[static_cast<unsigned char>(c) % 16];
    }
  }
  return json += '"';
}

template <class Items, class F>
std::string list_of(const Items& items, F describe) {
  std::string json = "[";
  for (const auto& item : items) {
    if (json.size() > 1) json += ',';
    json += describe(item);
  }
  return json += ']';
}

/// Known extents, and null for -1.
std::string shape_of(const Shape& shape) {
  return list_of(
      shape, [](std::int32_t extent) { return extent < 0 ? std::string("null") : std::to_string(extent); });
}

std::string shapes_of_calls(const std::vector<std::vector<Shape>>& calls) {
  return list_of(calls, [](const std::vector<Shape>& shapes) { return list_of(shapes, shape_of); });
}

using Member = std::pair<std::string_view, std::string>;

std::string object_of(std::initializer_list<Member> members) {
  std::string json = "{";
  for (const auto& [name, value] : members) {
    if (json.size() > 1) json += ',';
    json += quoted(name) += ':';
    json += value;
  }
  return json += '}';
}

std::string dtype_of(DType dtype) { return std::to_string(static_cast<int>(dtype)); }

std::string port(const ModelPort& port) {
  return object_of(
      {{"name", quoted(port.name)}, {"shape", shape_of(port.shape)}, {"dtype", dtype_of(port.dtype)}});
}

std::string layer(const LayerInfo& layer) {
  return object_of({{"name", quoted(layer.name)},
                    {"className", quoted(layer.class_name)},
                    {"inputShapes", shapes_of_calls(layer.input_shapes)},
                    {"outputShapes", shapes_of_calls(layer.output_shapes)},
                    {"parameters", std::to_string(layer.parameters)}});
}

std::string weight(Handle handle, const WeightInfo& weight) {
  return object_of({{"id", std::to_string(handle)},
                    {"name", quoted(weight.name)},
                    {"shape", shape_of(weight.tensor.shape())},
                    {"dtype", dtype_of(weight.tensor.dtype())},
                    {"trainable", weight.trainable ? "true" : "false"}});
}

/// Hands text out as last_error()'s message; gives 0, or -1 with an error there.
template <class F>
int told(F words) {
  return guarded([&] {
    last_error().message = words();
    return 0;
  });
}

/// A model and the handles of its weights, which it holds.
class Model {
 public:
  explicit Model(LayersModel model) : model_(std::move(model)), weights_(model_.weights()) {
    // A constructor that throws half-way would leave the handles made so far to nobody.
    handles_.reserve(weights_.size());
    ownership().reserve(weights_.size());
    for (const WeightInfo& weight : weights_) handles_.push_back(ownership().add_held(weight.tensor));
  }
  ~Model() {
    for (const Handle handle : handles_) ownership().dispose(handle);
  }
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  /// At `address` stand the bytes of the weights, and behind them the JSON of the topology and of the
  /// weights' specifications, each so many bytes. Null when the files are not right, with last_error() set.
  static Model* load(std::uintptr_t address, std::size_t weights, std::size_t topology, std::size_t specs) {
    std::unique_ptr<Model> model;
    guarded([&] {
      const std::span data(reinterpret_cast<const std::byte*>(address), weights);
      const auto* words = reinterpret_cast<const char*>(address + weights);
      model = std::make_unique<Model>(LayersModel::load({words, topology}, {words + topology, specs}, data));
      return 0;
    });
    return model.release();
  }

  /// The inputs' ids stand in the scratch words, in the model's order; the outputs are described there. Gives
  /// their number, or -1 with last_error() set.
  int predict(int count) {
    return guarded([&] {
      check(count >= 0 && kIdWords * count <= kScratchWords, "too many inputs");
      Tensors inputs;
      inputs.reserve(static_cast<std::size_t>(count));
      for (int i = 0; i < count; ++i) inputs.push_back(ownership().get(read_id(scratch + kIdWords * i)));
      return hand_out_all(model_.predict(inputs));
    });
  }

  double bytes() const { return static_cast<double>(model_.bytes()); }
  int summary(int line_length) const {
    return told([&] { return model_.summary(line_length); });
  }
  /// As JSON.
  int describe() const {
    return told([&] {
      std::size_t i = 0;
      return object_of({{"name", quoted(model_.name())},
                        {"inputs", list_of(model_.inputs(), port)},
                        {"outputs", list_of(model_.outputs(), port)},
                        {"layers", list_of(model_.layers(), layer)},
                        {"weights", list_of(weights_, [&](const WeightInfo& info) {
                           return weight(handles_[i++], info);
                         })}});
    });
  }

 private:
  LayersModel model_;
  std::vector<WeightInfo> weights_;
  std::vector<Handle> handles_;
};

}  // namespace

EMSCRIPTEN_BINDINGS(models) {
  emscripten::class_<Model>("LayersModel")
      .class_function("load", &Model::load, emscripten::return_value_policy::take_ownership(),
                      emscripten::allow_raw_pointers())
      .function("predict", &Model::predict)
      .function("summary", &Model::summary)
      .function("bytes", &Model::bytes)
      .function("describe", &Model::describe);
}

}  // namespace tenure::wasm
