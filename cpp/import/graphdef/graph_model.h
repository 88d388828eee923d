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

/// An input of a graph; extents that are not known are -1, and there is no shape where its rank is not known,
/// and no type where the file has none.
struct GraphInput {
  std::string name;
  std::optional<Shape> shape;
  std::optional<DType> dtype;
};

/// A TensorFlow graph in TensorFlow.js's format, ready to run.
class GraphModel {
 public:
  /// `topology_json` is a GraphDef, `weight_specs_json` an array of specs or a manifest, `weight_data` the
  /// bytes of all shards, in order. Throws for a file that is not right, naming the node or weight, and
  /// leaves nothing behind. Nodes of `custom_ops` stop a run, for whoever knows what they do.
  static GraphModel load(std::string_view topology_json, std::string_view weight_specs_json,
                         const WeightData& weight_data, std::vector<std::string> custom_ops = {});
  /// A placeholder that stands for a resource, and the output of the initializer that makes it.
  struct Capture {
    std::string placeholder;
    std::string output;
  };
  /// Runs a graph that fills the model's tables, once, with the model's weights.
  void initialize(std::string_view topology_json, std::span<const Capture> captures);
  GraphModel(GraphModel&&) noexcept;
  GraphModel& operator=(GraphModel&&) noexcept;
  ~GraphModel();

  /// The placeholders, in the file's order.
  std::vector<GraphInput> inputs() const;
  /// Names of the nodes that no other node reads.
  std::vector<std::string> leaves() const;
  const std::vector<NamedTensor>& weights() const;
  bool has_node(std::string_view name) const;

  /// The number of the program that computes some outputs from some inputs, each "node" or "node:1". Throws
  /// for names and ops that are not known and for inputs that are missing.
  int compile(std::span<const std::string> inputs, std::span<const std::string> outputs);
  /// The outputs of a program, all fresh. Throws for inputs that do not fit.
  Tensors run(int program, std::span<const Tensor> inputs);
  /// Likewise, or, where nodes are left to run one by one, what runs them, which must not outlive the model.
  std::unique_ptr<executor::Execution> start(int program, std::span<const Tensor> inputs, Tensors& outputs);
  /// Likewise one that runs all nodes one by one, and holds on to what they give.
  std::unique_ptr<executor::Execution> start_kept(int program, std::span<const Tensor> inputs);

  /// Bytes that the model holds: weights, and the arenas and folded constants of the plans made so far.
  std::size_t bytes() const;
  std::size_t plan_count() const;

 private:
  struct State;
  explicit GraphModel(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace tenure
