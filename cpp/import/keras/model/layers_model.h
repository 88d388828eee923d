#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/run/op.h"
#include "model/files/weights.h"

namespace tenure {
namespace keras {
class Network;
}

/// Input or output of a model. Extents that are known only at run time, such as the batch size, are -1.
struct ModelPort {
  std::string name;
  Shape shape;
  DType dtype = DType::kFloat32;
};

/// Layer with the properties that summary() shows.
struct LayerInfo {
  std::string name;
  std::string class_name;
  std::vector<std::vector<Shape>> input_shapes;  ///< of each call
  std::vector<std::vector<Shape>> output_shapes;
  std::vector<std::string> connections;  ///< "conv1[0][0]": layer, call, output
  std::size_t parameters = 0;
};

/// Weight of a model; the tensor is shared with the model.
struct WeightInfo {
  std::string name;
  Tensor tensor;
  bool trainable;
};

struct NamedInput {
  std::string_view name;
  Tensor tensor;
};

/// A Keras model in TensorFlow.js's layers format, ready to predict.
class LayersModel {
 public:
  /// Loads a model. `model_json` is a topology or a whole model.json. `weight_specs_json` is an array of
  /// specs or a manifest, or empty to use the manifest in `model_json`. `weight_data` holds the bytes of all
  /// shards, in order. Throws for an invalid file, naming the layer or weight, and leaves no memory
  /// allocated. Unless `strict`, missing weights are allowed and stay symbolic.
  static LayersModel load(std::string_view model_json, std::string_view weight_specs_json,
                          const WeightData& weight_data, bool strict = true);
  /// Returns a model of a network, whose weights may still be symbolic.
  static LayersModel of(std::shared_ptr<keras::Network> network);
  LayersModel(LayersModel&&) noexcept;
  LayersModel& operator=(LayersModel&&) noexcept;
  ~LayersModel();

  /// Returns the outputs for one batch as new tensors. Throws TensorFlow.js's message if the number or a
  /// shape of the inputs is wrong.
  Tensors predict(std::span<const Tensor> inputs);
  /// Returns the outputs for inputs by name, in any order. Throws if an input is missing.
  Tensors predict(std::span<const NamedInput> inputs);
  /// Returns the outputs computed op by op, without a plan, so that open tapes record the ops.
  Tensors run(std::span<const Tensor> inputs, bool training);
  /// Builds predict()'s plan for a batch of one, so that the first such prediction does not wait for weight
  /// packing. Does nothing if the model must run eagerly, if other extents are unknown, or if weights are
  /// still packed as in the file. Throws as predict() does.
  void prepare();
  /// Makes that plan and starts to compile the device's programs for it, also if weights are still packed.
  void prelink();
  /// Drops the plans; call it when weights have changed. The next few predictions run eagerly.
  void invalidate_plans();

  const std::shared_ptr<keras::Network>& network() const;
  const std::string& name() const;
  std::span<const ModelPort> inputs() const;
  std::span<const ModelPort> outputs() const;
  std::vector<LayerInfo> layers() const;
  /// Returns the weights in TensorFlow.js's order: trainable ones first.
  std::vector<WeightInfo> weights() const;
  /// Returns the text that TensorFlow.js prints, with lines ending in "\n"; a `line_length` of 0 means its
  /// default.
  std::string summary(int line_length = 0) const;
  /// Returns the bytes that the model holds: weights, and the arenas and folded constants of its plans.
  std::size_t bytes() const;
  /// Returns the number of plans kept: one per combination of input shapes and types, up to a small bound.
  std::size_t plan_count() const;

 private:
  struct Impl;
  explicit LayersModel(std::unique_ptr<Impl> state);
  std::unique_ptr<Impl> impl_;
};

/// Loads a model.json and the shards beside it. Throws if a file cannot be read or a shard's path leaves the
/// folder.
LayersModel load_layers_model_file(const std::string& path);

}  // namespace tenure
