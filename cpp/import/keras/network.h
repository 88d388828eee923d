#pragma once

#include "import/keras/layer.h"

namespace tenure::keras {

/// Reference to one output of one layer call.
struct TensorRef {
  int call;
  int tensor;
};

/// Application of a layer to tensors. A shared layer has several.
struct NetworkCall {
  int layer;  ///< index of the layer; kHidden for the unlisted input of a Sequential model
  int node;   ///< index of the call among the layer's calls, as numbered in the file
  std::vector<TensorRef> inputs;
  static constexpr int kHidden = -1;
};

/// Input of the model; unknown extents are -1.
struct NetworkInput {
  std::string name;
  Shape shape;
  DType dtype = DType::kFloat32;
  int call;
};

struct NetworkOutput {
  std::string name;
  TensorRef from;
};

/// Parts of a network that is not read from a file. The calls are in topological order.
struct NetworkParts {
  std::string class_name;
  std::string name;
  std::vector<LayerPtr> layers;
  std::vector<NetworkCall> calls;
  std::vector<NetworkInput> inputs;
  std::vector<NetworkOutput> outputs;
};

/// Sequential or Functional model: layers and the calls that connect them. A network is itself a layer, so
/// that models nest.
class Network final : public Layer {
 public:
  /// Reads {class_name, config}. Throws if a field is missing, a connection refers to nothing or the calls
  /// form a cycle.
  explicit Network(const Json& json);
  /// Throws if a call, input or output refers to a call that does not exist or comes later.
  explicit Network(NetworkParts parts);

  const std::vector<LayerPtr>& layers() const { return layers_; }
  const std::vector<NetworkCall>& calls() const { return calls_; }
  const std::vector<NetworkInput>& inputs() const { return inputs_; }
  const std::vector<NetworkOutput>& outputs() const { return outputs_; }

  /// Declares the weights of all layers for inputs of these specs. Returns the output specs of each call, by
  /// index of the call.
  std::vector<Specs> declare_all(const Specs& inputs, CallBudget& budget);

  void collect_weights(const std::string& prefix, bool trainable, std::vector<NamedWeight>& out) override;
  bool must_run_eagerly() const override;

 protected:
  Specs infer(const Specs& inputs, CallBudget& budget) override;
  LayerResult run(const LayerCall& call) override;
  Tensors call(const LayerCall& call) override { return run(call).outputs; }

 private:
  /// Returns the model's outputs among the results of its calls.
  template <class T>
  std::vector<T> select_outputs(const std::vector<std::vector<T>>& results) const;
  template <class T, class F>
  std::vector<std::vector<T>> for_each_call(const std::vector<T>& inputs, F f);
  void read_sequential(const Json& config, const std::string& owner);
  void read_functional(const Config& config);
  void add_first_layer(const Layer& layer, const Config& config);

  std::vector<LayerPtr> layers_;
  std::vector<NetworkCall> calls_;  ///< in topological order
  std::vector<NetworkInput> inputs_;
  std::vector<NetworkOutput> outputs_;
};

/// True for "Sequential", "Functional" and "Model".
bool is_network(std::string_view class_name);

}  // namespace tenure::keras
