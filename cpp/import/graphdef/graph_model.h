#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/run/op.h"
#include "model/files/weights.h"

namespace tenure {
namespace executor {
class Execution;
}

/// An input of a graph. Unknown extents are -1. There is no shape if the rank is unknown, and no dtype if the
/// file has none.
struct GraphInput {
  std::string name;
  std::optional<Shape> shape;
  std::optional<DType> dtype;
};

/// A TensorFlow graph in TensorFlow.js's format, ready to run.
class GraphModel {
 public:
  /// Loads a model. `topology_json` is a GraphDef, `weight_specs_json` an array of specs or a manifest,
  /// `weight_data` the bytes of all shards, in order. Throws for an invalid file, naming the node or weight,
  /// and leaves nothing allocated. Runs stop at nodes of `custom_ops`, whose outputs the caller supplies.
  static GraphModel load(std::string_view topology_json, std::string_view weight_specs_json,
                         const WeightData& weight_data, std::vector<std::string> custom_ops = {});
  /// A placeholder that stands for a resource, and the output of the initializer that creates the resource.
  struct Capture {
    std::string placeholder;
    std::string output;
  };
  /// Runs the initializer, a graph that fills the model's tables, with the model's weights. Binds the
  /// `captures` to the resources that it creates.
  void initialize(std::string_view topology_json, std::span<const Capture> captures);
  GraphModel(GraphModel&&) noexcept;
  GraphModel& operator=(GraphModel&&) noexcept;
  ~GraphModel();

  /// Returns the placeholders, in file order.
  std::vector<GraphInput> inputs() const;
  /// Returns the names of the nodes that no other node reads.
  std::vector<std::string> leaves() const;
  const std::vector<NamedTensor>& weights() const;
  bool has_node(std::string_view name) const;

  /// Adds a program that computes `outputs` from `inputs`, each "node" or "node:1", and returns its number.
  /// Throws for unknown names and ops, and for missing inputs.
  int compile(std::span<const std::string> inputs, std::span<const std::string> outputs);
  /// Runs a program and returns its outputs. Throws if inputs do not match their placeholders, or if a custom
  /// op is needed.
  Tensors run(int program, std::span<const Tensor> inputs);
  /// Starts a program. Returns null if all `outputs` are computed, otherwise an execution of the remaining
  /// nodes, which must not outlive the model.
  std::unique_ptr<executor::Execution> start(int program, std::span<const Tensor> inputs, Tensors& outputs);
  /// Returns an execution that runs all nodes of a program one by one and keeps their outputs
  /// (Execution::kept()). It must not outlive the model.
  std::unique_ptr<executor::Execution> start_keeping_values(int program, std::span<const Tensor> inputs);

  /// Returns the bytes of the weights, and of the arenas, prepared kernels and folded constants of the plans
  /// made so far.
  std::size_t bytes() const;
  std::size_t plan_count() const;

 private:
  struct State;
  explicit GraphModel(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace tenure
