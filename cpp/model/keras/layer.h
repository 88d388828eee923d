#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/op.h"
#include "model/keras/config.h"

namespace tenure {
class Tracer;
}

namespace tenure::keras {

/// A parameter of a layer. Until it is loaded its value is symbolic: only the shape is known.
struct Weight {
  std::string name;  ///< "kernel", without the layer's name
  Tensor value;
  bool trainable = true;
};

/// A weight with its full name, "dense_1/kernel".
struct NamedWeight {
  std::string name;
  Weight* weight;
  bool trainable;
};

/// How a model runs; the same for every layer of one run.
struct RunContext {
  bool training = false;
  Tracer* tracer = nullptr;  ///< is told the names of the layers, if there is one
};

/// What a layer is called with. A mask is a bool tensor [batch, time] of the steps that count, or empty.
struct LayerCall {
  Tensors inputs;
  Tensors masks;  ///< one for each input
  RunContext context;
};

/// A layer of TensorFlow.js: its parameters, and a function over tensors written with the eager ops. Called
/// with symbolic tensors the same function is recorded in a graph.
class Layer {
 public:
  Layer(std::string class_name, const Config& config);
  Layer(std::string class_name, std::string name, bool trainable);
  virtual ~Layer() = default;
  Layer(const Layer&) = delete;
  Layer& operator=(const Layer&) = delete;

  const std::string& name() const { return name_; }
  const std::string& class_name() const { return class_name_; }
  void set_name(std::string name) { name_ = std::move(name); }

  /// Runs the layer; the first call declares its weights. Errors name the layer.
  Tensors operator()(const LayerCall& call);
  /// The mask of the first output.
  virtual Tensor mask(const LayerCall& call) const;
  /// Appends the weights, named `prefix`/name, in the order of TensorFlow.js.
  virtual void collect_weights(const std::string& prefix, bool trainable, std::vector<NamedWeight>& out);

 protected:
  /// Declares the weights with add_weight, given the first call's inputs.
  virtual void build(std::span<const Tensor> /*inputs*/) {}
  virtual Tensors call(const LayerCall& call) = 0;

  static constexpr int kNoWeight = -1;
  int add_weight(std::string name, const Shape& shape, bool trainable = true);
  /// The value of a weight; an empty tensor for kNoWeight, which ops take for a missing input.
  const Tensor& weight(int index) const;

  bool trainable_;
  bool passes_mask_ = false;

 private:
  std::string class_name_;
  std::string name_;
  std::vector<Weight> weights_;
  bool built_ = false;
};

/// A layer with one input and one output.
class UnaryLayer : public Layer {
 public:
  using Layer::Layer;

 protected:
  void build(std::span<const Tensor> inputs) override;
  virtual void build_for(const Shape& /*input*/) {}
  virtual Tensor apply(const Tensor& x) = 0;
  Tensors call(const LayerCall& call) override;
};

using LayerPtr = std::unique_ptr<Layer>;
using MakeLayer = LayerPtr (*)(std::string class_name, const Config& config);

/// One entry of a family's list of layers.
struct LayerRow {
  std::string_view class_name;
  MakeLayer make;
};
template <class L>
LayerPtr make(std::string class_name, const Config& config) {
  return std::make_unique<L>(std::move(class_name), config);
}

/// Makes a layer or a nested model from {class_name, config}. Throws for a class that is not known.
LayerPtr make_layer(const Json& json);

}  // namespace tenure::keras
