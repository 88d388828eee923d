#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/executor/run.h"
#include "model/plan/session.h"

namespace tenure::executor {

class Program;

/// The tensors of a node, by its name.
struct NodeTensors {
  std::string_view node;
  Tensors tensors;
};

/// A run of a program that stops at each op from outside.
class Execution {
 public:
  /// False when the outputs are there, true where an op waits for its results.
  bool go_on();
  const Node& waiting() const { return run_.waiting(); }
  const Items& waiting_inputs() const { return run_.waiting_inputs(); }
  void supply(Items items) { run_.supply(std::move(items)); }
  /// The outputs, once.
  Tensors finish();
  /// What the nodes that have run gave, and the inputs, where Program::start_kept() made this; else nothing.
  std::vector<NodeTensors> kept() const;

 private:
  friend class Program;
  enum Mode : std::uint8_t { kPlain, kRecords, kKeeps };
  Execution(const Program& program, Values values, std::vector<std::uint32_t> order, Tensors known,
            Mode mode);

  const Program& program_;
  Values values_;
  std::vector<std::uint32_t> order_;
  Tensors known_;  ///< outputs that the plan gave; none for the others
  Mode mode_;      ///< kRecords: tapes see the ops; kKeeps: values stay, too
  Run run_;
};

/// What computes some outputs of a graph from some inputs, any nodes of it. For each combination of the
/// inputs' shapes the nodes are traced into a plan, all but those that need values to know what to do and
/// those that follow from them: these run one by one behind the plan.
class Program {
 public:
  /// Throws, with TensorFlow.js's words where it has some, when inputs are missing, or an op is not known.
  Program(const Definition& definition, Resources& resources, std::vector<Ref> inputs,
          std::vector<Ref> outputs);

  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  /// The outputs, all fresh. Throws for inputs that do not fit their placeholders, and where an op from
  /// outside the engine is needed.
  Tensors run(std::span<const Tensor> inputs);
  /// Likewise, in steps, where there is one; null when the outputs are there, and then in `outputs`.
  std::unique_ptr<Execution> start(std::span<const Tensor> inputs, Tensors& outputs);
  /// Likewise, node by node, and holds on to what they give.
  std::unique_ptr<Execution> start_kept(std::span<const Tensor> inputs);

  std::size_t plan_count() const;
  std::size_t bytes(std::vector<const Storage*>& constants) const;

 private:
  friend class Execution;
  struct Variant;
  void validate() const;
  void check_inputs(std::span<const Tensor> inputs) const;
  Variant& variant_for(std::span<const Tensor> inputs);
  Graph trace(Variant& variant) const;
  bool trace_node(std::uint32_t node, Values& values) const;
  bool try_trace(Variant& variant, std::vector<bool>& forced, std::optional<Graph>& graph) const;
  Values begin(const Schedule& schedule, std::span<const Tensor> inputs) const;
  /// The whole schedule, with a reader more of each node, so that its value stays.
  Schedule kept_schedule() const;

  const Definition& definition_;
  Resources& resources_;
  std::vector<Ref> inputs_;
  std::vector<Ref> outputs_;
  Schedule schedule_;
  std::vector<std::unique_ptr<Variant>> variants_;  ///< the one used last comes first
};

}  // namespace tenure::executor
