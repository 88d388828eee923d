#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/run/op.h"
#include "import/keras/config.h"
#include "import/keras/weight_rules.h"

namespace tenure {
class Tracer;
}

namespace tenure::keras {

/// A parameter of a layer. Until it is loaded its value is symbolic: only the shape is known.
struct Weight {
  std::string name;  ///< "kernel", without the layer's name
  Tensor value;
  bool trainable = true;
  std::uint64_t handle = 0;  ///< what others know the value by, where it is theirs too
  Regularizer regularizer{};
  Constraint constraint{};
  std::uint64_t changed_at = 0;  ///< the number of the change that gave it its value, of all weights'
};

/// A weight with its full name, "dense_1/kernel".
struct NamedWeight {
  std::string name;
  Weight* weight;
  bool trainable;
};

/// Bounds the work that a small file can ask for by calling what it holds over and over.
class WorkLimit {
 public:
  /// Counts a call of a layer, or a step of one; throws when there have been too many.
  void spend(int calls = 1);
  int left() const { return left_; }

 private:
  static constexpr int kMostCalls = 1 << 15;
  int left_ = kMostCalls;
};

/// How a model runs; the same for every layer of one run.
struct RunContext {
  WorkLimit& work;
  Tracer* tracer = nullptr;  ///< null where only shapes are asked for, and where ops run at once
  bool training = false;
};

/// What a layer is called with. A mask is a bool tensor [batch, time] of the steps that count, or empty; it
/// has the leading dimensions of its input.
struct LayerCall {
  Tensors inputs;
  Tensors masks;  ///< one for each input
  RunContext context;
};

struct LayerResult {
  Tensors outputs;
  Tensors masks;  ///< one for each output
};

/// Specs of tensors; extents that are not known are -1.
using Specs = std::vector<TensorSpec>;

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
  /// Whether its weights, and those of the layers inside, may train.
  void set_trainable(bool trainable) { trainable_ = trainable; }
  bool trainable() const { return trainable_; }

  /// Gives the specs of the outputs for such inputs; the first call declares the weights. Errors name the
  /// layer.
  Specs declare(const Specs& inputs, WorkLimit& work);
  /// Runs the layer, once its weights are declared. Errors name the layer.
  LayerResult operator()(const LayerCall& call);
  /// Whether no call of it is like the last, as it goes on where that ended, or draws a shape by chance: such
  /// a layer runs at once, never from a plan.
  virtual bool runs_at_once() const { return false; }
  /// Where the next call of a stateful layer begins, once it is declared; empty for others.
  virtual Tensors states() const { return {}; }
  /// Lets the next call of a stateful layer begin with these states, or anew for none. Throws, and changes
  /// nothing, where their number or a shape is not right.
  virtual void set_states(std::span<const Tensor> /*states*/) {}
  /// Appends the weights, named `prefix`/name, in the order of TensorFlow.js.
  virtual void collect_weights(const std::string& prefix, bool trainable, std::vector<NamedWeight>& out);

 protected:
  /// Declares the weights with add_weight, given the first call's inputs.
  virtual void build(const Specs& /*inputs*/, WorkLimit& /*work*/) {}
  /// The outputs' specs; found by trying sizes, unless a layer knows better.
  virtual Specs infer(const Specs& inputs, WorkLimit& work);
  virtual LayerResult run(const LayerCall& call);
  virtual Tensors call(const LayerCall& call) = 0;
  /// The masks of the first outputs; the others have none.
  virtual Tensors masks(const LayerCall& call) const;

  /// Throws, with TensorFlow.js's words, unless an input has so many dimensions.
  void check_rank(const Shape& input, int rank) const;

  static constexpr int kNoWeight = -1;
  /// Throws when an extent is not known.
  int add_weight(std::string name, const Shape& shape, bool trainable = true);
  /// The value of a weight; an empty tensor for kNoWeight, which ops take for a missing input.
  const Tensor& weight(int index) const;
  /// Gives a weight that gradients do not move its next value.
  void set_weight(int index, Tensor value);

  bool trainable_;
  bool passes_mask_ = false;

 private:
  template <class F>
  auto naming_errors(F f) const;
  /// Calls build(). Throws for a layer that a cut call left half-built.
  void build_once(const Specs& inputs, WorkLimit& work);

  std::string class_name_;
  std::string name_;
  WeightRules rules_;
  std::vector<Weight> weights_;
  bool built_ = false;
  bool is_building_ = false;
};

/// A layer with one input and one output.
class UnaryLayer : public Layer {
 public:
  using Layer::Layer;

 protected:
  void build(const Specs& inputs, WorkLimit& work) override;
  /// `input` may have extents of -1.
  virtual void build_for(const Shape& /*input*/) {}
  virtual Tensor apply(const Tensor& x) = 0;
  Specs infer(const Specs& inputs, WorkLimit& work) override;
  Tensors call(const LayerCall& call) override;

 private:
  static void check_count(std::size_t inputs);
};

/// Models may share layers.
using LayerPtr = std::shared_ptr<Layer>;
using MakeLayer = std::unique_ptr<Layer> (*)(std::string class_name, const Config& config);

/// One entry of a family's list of layers.
struct LayerRow {
  std::string_view class_name;
  MakeLayer make;
};
template <class L>
std::unique_ptr<Layer> make(std::string class_name, const Config& config) {
  return std::make_unique<L>(std::move(class_name), config);
}

/// Makes a layer or a nested model from {class_name, config}. Throws for a class that is not known.
LayerPtr make_layer(const Json& json);

}  // namespace tenure::keras
