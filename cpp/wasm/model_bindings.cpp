// Models as a class: load, describe, predict.

#include <emscripten/bind.h>

#include "model/layers_model.h"
#include "owner/ownership.h"
#include "wasm/scratch.h"

namespace tenure::wasm {
namespace {

using emscripten::val;

/// Known extents, and null for -1.
val shape_of(const Shape& shape) {
  val extents = val::array();
  for (const std::int32_t extent : shape) extents.call<void>("push", extent < 0 ? val::null() : val(extent));
  return extents;
}

template <class Items, class F>
val list_of(const Items& items, F describe) {
  val list = val::array();
  for (const auto& item : items) list.call<void>("push", describe(item));
  return list;
}

val shapes_of_calls(const std::vector<std::vector<Shape>>& calls) {
  return list_of(calls, [](const std::vector<Shape>& shapes) { return list_of(shapes, shape_of); });
}

val port(const ModelPort& port) {
  val object = val::object();
  object.set("name", port.name);
  object.set("shape", shape_of(port.shape));
  object.set("dtype", static_cast<int>(port.dtype));
  return object;
}

val layer(const LayerInfo& layer) {
  val object = val::object();
  object.set("name", layer.name);
  object.set("className", layer.class_name);
  object.set("inputShapes", shapes_of_calls(layer.input_shapes));
  object.set("outputShapes", shapes_of_calls(layer.output_shapes));
  object.set("parameters", static_cast<double>(layer.parameters));
  return object;
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

  /// `bytes` bytes of weights at `address`. Null when the files are not right, with last_error() set.
  static Model* load(const std::string& topology, const std::string& specs, std::uintptr_t address,
                     std::size_t bytes) {
    std::unique_ptr<Model> model;
    guarded([&] {
      const auto* data = reinterpret_cast<const std::byte*>(address);
      model = std::make_unique<Model>(LayersModel::load(topology, specs, {data, bytes}));
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

  std::string summary(int line_length) const { return model_.summary(line_length); }
  double bytes() const { return static_cast<double>(model_.bytes()); }

  val describe() const {
    val object = val::object();
    object.set("name", model_.name());
    object.set("inputs", list_of(model_.inputs(), port));
    object.set("outputs", list_of(model_.outputs(), port));
    object.set("layers", list_of(model_.layers(), layer));
    val weights = val::array();
    for (std::size_t i = 0; i < handles_.size(); ++i) {
      val weight = val::object();
      weight.set("id", static_cast<double>(handles_[i]));
      weight.set("name", weights_[i].name);
      weight.set("shape", shape_of(weights_[i].tensor.shape()));
      weight.set("dtype", static_cast<int>(weights_[i].tensor.dtype()));
      weight.set("trainable", weights_[i].trainable);
      weights.call<void>("push", weight);
    }
    object.set("weights", weights);
    return object;
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
