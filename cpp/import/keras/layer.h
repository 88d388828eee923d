#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/run/op.h"
#include "import/keras/config.h"
#include "import/keras/weight_config.h"

namespace tenure {
class GraphTracer;
}

namespace tenure::keras {

/// Weight of a layer. Until it is loaded its value is symbolic: only the shape is known.
struct Weight {
  std::string name;  ///< "kernel", without the layer's name
  Tensor value;
  bool trainable = true;
  std::uint64_t handle = 0;  ///< ownership handle of the value if JavaScript shares it, else 0
  Regularizer regularizer{};
  Constraint constraint{};
  std::uint64_t changed_at = 0;  ///< sequence number of its value's last change, over all weights
};

/// A weight with its full name, "dense_1/kernel".
struct NamedWeight {
  std::string name;
  Weight* weight;
  bool trainable;
};

/// Budget of layer calls. Bounds how long a small file can run by calling its layers over and over.
class CallBudget {
 public:
  /// Consumes `calls` calls of layers or recurrent steps. Throws when the budget is exceeded.
  void consume(int calls = 1);
  int left() const { return remaining_; }

 private:
  static constexpr int kMaxCalls = 1 << 15;
  int remaining_ = kMaxCalls;
};

/// Settings of one run of a model, the same for every layer.
struct RunContext {
  CallBudget& budget;
  GraphTracer* tracer = nullptr;  ///< null during shape inference and eager execution
  bool training = false;
};

/// Arguments of a layer call. A mask is a bool tensor [batch, time] that is true for valid steps, or an empty
/// tensor. It has the leading dimensions of its input.
struct LayerCall {
  Tensors inputs;
  Tensors masks;  ///< one for each input
  RunContext context;
};

struct LayerResult {
  Tensors outputs;
  Tensors masks;  ///< one for each output
};

/// Specs of tensors; unknown extents are -1.
using Specs = std::vector<TensorSpec>;

/// Layer of a Keras model: its weights, and a function of tensors written with the eager ops. A call with
/// symbolic tensors records the same function in a graph.
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
  /// Sets whether its weights, and those of nested layers, are trainable.
  void set_trainable(bool trainable) { trainable_ = trainable; }
  bool trainable() const { return trainable_; }

  /// Returns the specs of the outputs for inputs of these specs. The first call declares the weights. Errors
  /// name the layer.
  Specs declare(const Specs& inputs, CallBudget& budget);
  /// Runs the layer, whose weights must be declared. Errors name the layer.
  LayerResult operator()(const LayerCall& call);
  /// True for stateful layers and random output shapes: these always run eagerly, never from a plan.
  virtual bool must_run_eagerly() const { return false; }
  /// Returns the states that the next call of a stateful layer starts with, once it is declared; empty for
  /// other layers.
  virtual Tensors states() const { return {}; }
  /// Sets the states that the next call of a stateful layer starts with; an empty list resets them. Throws,
  /// and changes nothing, if their number or a shape is wrong.
  virtual void set_states(std::span<const Tensor> /*states*/) {}
  /// Appends the weights, named `prefix`/name, in TensorFlow.js's order.
  virtual void collect_weights(const std::string& prefix, bool trainable, std::vector<NamedWeight>& out);

 protected:
  /// Declares the weights with add_weight(), given the specs of the first call's inputs.
  virtual void build(const Specs& /*inputs*/, CallBudget& /*budget*/) {}
  /// Returns the specs of the outputs. The default runs call() on symbolic inputs of trial sizes
  /// (probe_specs()).
  virtual Specs infer(const Specs& inputs, CallBudget& budget);
  virtual LayerResult run(const LayerCall& call);
  virtual Tensors call(const LayerCall& call) = 0;
  /// Returns the masks of the first outputs; the others have none.
  virtual Tensors masks(const LayerCall& call) const;

  /// Throws TensorFlow.js's message unless `input` has rank `rank`.
  void check_rank(const Shape& input, int rank) const;

  static constexpr int kNoWeight = -1;
  /// Declares a symbolic weight and returns its index. Throws if an extent of `shape` is unknown (-1).
  int add_weight(std::string name, const Shape& shape, bool trainable = true);
  /// Returns the value of a weight, or for kNoWeight an empty tensor, which ops take for a missing input.
  const Tensor& weight(int index) const;
  /// Sets the value of a weight that gradients do not update, such as a moving average.
  void set_weight(int index, Tensor value);

  bool trainable_;
  bool passes_mask_ = false;

 private:
  template <class F>
  auto with_layer_name(F f) const;
  /// Calls build(). Throws if an interrupted call left the layer half-built.
  void build_once(const Specs& inputs, CallBudget& budget);

  std::string class_name_;
  std::string name_;
  WeightConfig rules_;
  std::vector<Weight> weights_;
  bool built_ = false;
  bool is_building_ = false;
};

/// A layer with one input and one output.
class UnaryLayer : public Layer {
 public:
  using Layer::Layer;

 protected:
  void build(const Specs& inputs, CallBudget& budget) override;
  /// Declares the weights. Unknown extents of `input` are -1.
  virtual void build_for(const Shape& /*input*/) {}
  virtual Tensor apply(const Tensor& x) = 0;
  Specs infer(const Specs& inputs, CallBudget& budget) override;
  Tensors call(const LayerCall& call) override;

 private:
  static void check_count(std::size_t inputs);
};

/// Shared pointer, since models may share layers.
using LayerPtr = std::shared_ptr<Layer>;
using MakeLayer = std::unique_ptr<Layer> (*)(std::string class_name, const Config& config);

/// Row of a table of layer classes.
struct LayerRow {
  std::string_view class_name;
  MakeLayer make;
};
template <class L>
std::unique_ptr<Layer> make(std::string class_name, const Config& config) {
  return std::make_unique<L>(std::move(class_name), config);
}

/// Returns a layer or a nested model made from {class_name, config}. Throws for an unknown class.
LayerPtr make_layer(const Json& json);

}  // namespace tenure::keras
