#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/run/op.h"
#include "model/executor/definition.h"
#include "model/files/weights.h"

namespace tenure {
namespace executor {
class Execution;
struct FlatValues;
}  // namespace executor

/// An input or output of a graph. Unknown extents are -1. There is no shape if the rank is unknown, and no
/// dtype if the file has none.
struct GraphPort {
  std::string name;
  std::optional<Shape> shape;
  std::optional<DType> dtype;
  std::string type = {};  ///< element type in the file's own words, such as "int64"; empty if it has none
  std::vector<std::string> symbols =
      {};                      ///< names of the extents, "" for those without; empty if none has one
  std::string container = {};  ///< "sequence", "optional" or "optional sequence" of such tensors, or empty
};

/// A graph that an importer has read, ready to run.
class GraphModel {
 public:
  /// Takes the graph, and the tensors among its constants that are its weights. `outputs` are those that the
  /// file declares, if its format does.
  GraphModel(std::vector<NamedTensor> weights, executor::Definition definition,
             std::vector<GraphPort> outputs = {});
  GraphModel(GraphModel&&) noexcept;
  GraphModel& operator=(GraphModel&&) noexcept;
  ~GraphModel();

  /// Returns the inputs, in file order.
  std::vector<GraphPort> inputs() const;
  /// Returns the outputs that the file declares; none if its format declares none.
  const std::vector<GraphPort>& outputs() const;
  /// Returns the names of the nodes that no other node reads.
  std::vector<std::string> leaves() const;
  const std::vector<NamedTensor>& weights() const;
  /// Runs a graph that creates resources, and binds them to inputs of this graph. Each capture is the name of
  /// an input and of the initializer's output.
  void initialize(const executor::Definition& initializer,
                  std::span<const std::pair<std::string, std::string>> captures);

  /// Adds a program that computes `outputs` from `inputs`, both named as for Block::find(), and returns its
  /// number.
  /// Throws for unknown names and ops, and for missing inputs.
  int compile(std::span<const std::string> inputs, std::span<const std::string> outputs);
  /// Runs a program and returns its outputs. Throws if inputs do not match their placeholders, or if a custom
  /// op is needed.
  Tensors run(int program, std::span<const Tensor> inputs);
  /// Starts a program. Returns null if all `outputs` are computed, otherwise an execution of the remaining
  /// nodes, which must not outlive the model.
  std::unique_ptr<executor::Execution> start(int program, std::span<const Tensor> inputs, Tensors& outputs);
  /// Returns an execution of a program whose inputs or outputs are sequences or optional values. It must not
  /// outlive the model.
  std::unique_ptr<executor::Execution> start_with_containers(int program, const executor::FlatValues& inputs);
  /// Returns an execution that runs all nodes of a program one by one and keeps their outputs
  /// (Execution::kept()). It must not outlive the model.
  std::unique_ptr<executor::Execution> start_keeping_values(int program, std::span<const Tensor> inputs);

  /// Makes a program's plan for a batch of one, and starts to compile the device's programs for it. Does
  /// nothing if other extents of the inputs are unknown. Throws as run() does.
  void prelink(int program);

  /// Returns the bytes of the weights, and of the arenas, prepared kernels and folded constants of the plans
  /// made so far.
  std::size_t bytes() const;
  std::size_t plan_count() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tenure
