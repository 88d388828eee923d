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

/// An input or output of a model; extents that are not known before a tensor comes, such as the batch's, are
/// -1.
struct ModelPort {
  std::string name;
  Shape shape;
  DType dtype = DType::kFloat32;
};

/// A layer as summary() shows it.
struct LayerInfo {
  std::string name;
  std::string class_name;
  std::vector<std::vector<Shape>> input_shapes;  ///< of each call
  std::vector<std::vector<Shape>> output_shapes;
  std::vector<std::string> connections;  ///< "conv1[0][0]": layer, call, output
  std::size_t parameters = 0;
};

/// A weight; the tensor is shared with the model.
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
  /// `model_json` is a topology or the whole of a model.json; `weight_specs_json` an array of specs or a
  /// manifest, or empty to use the manifest of `model_json`; `weight_data` the bytes of all shards, in order.
  /// Throws for a file that is not right, naming the layer or weight, and leaves nothing behind. Unless it is
  /// `strict`, weights may be missing, and stay symbolic.
  static LayersModel load(std::string_view model_json, std::string_view weight_specs_json,
                          const WeightData& weight_data, bool strict = true);
  /// Of a network whose weights may still be symbolic.
  static LayersModel of(std::shared_ptr<keras::Network> network);
  LayersModel(LayersModel&&) noexcept;
  LayersModel& operator=(LayersModel&&) noexcept;
  ~LayersModel();

  /// The outputs for one batch, all fresh. Throws, with TensorFlow.js's words, for inputs of a wrong number
  /// or shape.
  Tensors predict(std::span<const Tensor> inputs);
  /// Likewise with inputs by name, in any order.
  Tensors predict(std::span<const NamedInput> inputs);
  /// Likewise op by op, without a plan, so that open tapes record what runs.
  Tensors run(std::span<const Tensor> inputs, bool training);
  /// Makes predict()'s plan for a batch of one, whose first then waits for no packing of weights; not where
  /// other extents are not known, and not where weights would be unpacked. Throws where predict() would.
  void prepare();
  /// For when weights have changed.
  void forget_plans();

  const std::shared_ptr<keras::Network>& network() const;
  const std::string& name() const;
  std::span<const ModelPort> inputs() const;
  std::span<const ModelPort> outputs() const;
  std::vector<LayerInfo> layers() const;
  /// In TensorFlow.js's order: those that train first.
  std::vector<WeightInfo> weights() const;
  /// What TensorFlow.js prints, lines ending in "\n"; `line_length` 0 means its default.
  std::string summary(int line_length = 0) const;
  /// Bytes that the model holds: weights, and the arenas and folded constants of the plans made so far.
  std::size_t bytes() const;
  /// Number of plans kept, one for each combination of input shapes and types, up to a small bound.
  std::size_t plan_count() const;

 private:
  struct State;
  explicit LayersModel(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// Reads a model.json and the shards beside it. Throws when a file cannot be read or a shard's path leaves
/// the folder.
LayersModel load_layers_model_file(const std::string& path);

}  // namespace tenure
