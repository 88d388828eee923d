#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/executor/containers.h"
#include "model/executor/executor.h"
#include "model/executor/selectors.h"
#include "model/plan/session.h"

namespace tenure::executor {

class Program;

/// The name of a node and its output tensors.
struct NodeTensors {
  std::string_view node;
  Tensors tensors;
};

/// A run of a program that stops at each custom op until the caller supplies the op's outputs.
class Execution {
 public:
  /// Runs to the next custom op and returns true, or to the end and returns false.
  bool advance();
  const Node& waiting() const { return run_.pending(); }
  const EdgeValues& waiting_inputs() const { return run_.waiting_inputs(); }
  void resume_with(EdgeValues items) { run_.resume_with(std::move(items)); }
  /// Returns the outputs of the program. To be called once, after the run has ended. Throws if an output is
  /// not a tensor or belongs to a branch that was not taken.
  Tensors finish();
  /// Returns the outputs of the program, which may be sequences and optional values. To be called once, after
  /// the run has ended. Throws if an output is another object, or belongs to a branch that was not taken.
  FlatValues finish_with_containers();
  /// Returns the inputs and the outputs of all nodes that have run, if Program::start_keeping_values()
  /// returned this execution; otherwise an empty list.
  std::vector<NodeTensors> kept() const;

 private:
  friend class Program;
  enum Mode : std::uint8_t { kPlain, kRecords, kKeeps };
  Execution(const Program& program, Values values, std::vector<std::uint32_t> order, Tensors known,
            Mode mode);

  const Program& program_;
  Values values_;
  std::vector<std::uint32_t> order_;
  Tensors known_;  ///< outputs that the plan has computed; empty tensors for the others
  Mode mode_;      ///< kRecords: tapes record the ops; kKeeps: also keeps all values
  Executor run_;
};

/// The computation of some outputs of a graph from some inputs, which can be any nodes. For each combination
/// of input shapes and dtypes the nodes are traced into a plan. Nodes that need values of tensors while
/// tracing, and all nodes that depend on them, are deferred: they run one by one after the plan. Where shapes
/// change at each run, as those of a decoder with a cache of keys and values do, all nodes run one by one if
/// making a plan is estimated to take more than a tenth of the time of a run. Where the condition of an If
/// depends on inputs of one integer or bool, such as a sample rate, each combination of their values has a
/// plan of its own, with the branch that it takes and without the ops on its constants.
class Program {
 public:
  /// Throws if inputs are missing or an op is unknown, with TensorFlow.js's message where it has one.
  Program(const Definition& definition, Resources& resources, std::vector<Ref> inputs,
          std::vector<Ref> outputs);

  /// Makes start() run all nodes one by one, as programs must whose inputs or outputs are sequences or
  /// optional values.
  void disable_plans() { has_plans_ = false; }

  /// Returns inputs without values, of the shapes that the graph declares, for a batch of one; nothing if
  /// other extents are unknown.
  std::optional<Tensors> make_example() const;

  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  /// Runs the program and returns its outputs. Throws if inputs do not match their placeholders, or if a
  /// custom op is needed.
  Tensors run(std::span<const Tensor> inputs);
  /// Starts the program. Returns null if all `outputs` are computed, otherwise an execution of the remaining
  /// nodes. Throws if inputs do not match their placeholders.
  std::unique_ptr<Execution> start(std::span<const Tensor> inputs, Tensors& outputs);
  /// Returns an execution of all nodes, without a plan. Inputs may be sequences and optional values. Throws
  /// if they do not match their placeholders.
  std::unique_ptr<Execution> start_with_containers(const EdgeValues& inputs);
  /// Returns an execution that runs all nodes one by one, without a plan, and keeps their outputs
  /// (Execution::kept()). Throws if inputs do not match their placeholders.
  std::unique_ptr<Execution> start_keeping_values(std::span<const Tensor> inputs);

  /// Makes the plan for inputs of these specs, and starts to compile the device's programs for it; not for
  /// nodes that are deferred. Throws as start() does.
  void prelink(std::span<const Tensor> inputs);

  std::size_t plan_count() const;
  std::size_t bytes(std::vector<const Storage*>& constants) const;

 private:
  friend class Execution;
  struct Variant;
  class Tracing;
  void validate() const;
  void check_inputs(std::span<const Tensor> inputs) const;
  void check_input(const Node& node, const Tensor& input) const;
  void check_value(const Node& node, const EdgeValue& value) const;
  Variant* find_variant(std::span<const Tensor> inputs);
  Variant& add_variant(std::span<const Tensor> inputs);
  /// Returns a traced variant for the inputs' specs and, if they can be read, the values that select
  /// branches.
  std::unique_ptr<Variant> make_variant(std::span<const Tensor> inputs) const;
  /// Returns the inputs that the conditions of the variant's deferred nodes depend on, see Selectors::find().
  std::vector<std::size_t> find_selectors(const Variant& variant) const;
  /// Makes variants for specs alone from now on.
  void ignore_selectors();
  /// True if a plan for a new shape would cost more than it saves: the last plans were each used once,
  /// making one is estimated to take more than a tenth of the time of a run, and the shape is not one of the
  /// last that ran without a plan.
  bool should_run_unplanned(std::span<const Tensor> inputs);
  std::unique_ptr<Execution> execute_all(const EdgeValues& inputs, Execution::Mode mode) const;
  Graph trace(Variant& variant) const;
  bool trace_node(std::uint32_t node, Values& values) const;
  bool try_trace(Variant& variant, std::vector<bool>& forced, std::optional<Graph>& graph) const;
  Values begin(const Schedule& schedule, const EdgeValues& inputs) const;
  Values begin(const Schedule& schedule, std::span<const Tensor> inputs) const;
  /// Returns the schedule with one more reader of each node, so that no value is freed.
  Schedule keep_all_schedule() const;

  const Definition& definition_;
  Resources& resources_;
  std::vector<Ref> inputs_;
  std::vector<Ref> outputs_;
  Schedule schedule_;
  bool has_plans_ = true;
  Selectors selectors_;
  std::vector<std::unique_ptr<Variant>> variants_;     ///< most recently used first
  std::vector<std::vector<TensorSpec>> eager_shapes_;  ///< shapes of runs without a plan, the last first
};

}  // namespace tenure::executor
