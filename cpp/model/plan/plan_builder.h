#pragma once

#include <memory>
#include <span>
#include <vector>

#include "model/graph/lifetimes.h"
#include "model/graph/views.h"
#include "model/passes/chains.h"
#include "model/plan/plan.h"

namespace tenure {

/// Compiles a graph into the steps of a Plan, and binds their values to memory.
class PlanBuilder {
 public:
  /// `plan` has its backend, and no steps yet. It and `graph` must outlive the builder.
  PlanBuilder(Plan& plan, const Graph& graph);

  /// Adds all steps. Throws Error(kOutOfMemory) when memory ends.
  void build(FirstRun first_run);

 private:
  /// The result of chain fusion for a node: it ends a chain (`kernel`), it is inside one, or neither.
  struct FusionResult {
    bool is_inside_chain = false;
    const PreparedKernel* kernel = nullptr;
    std::vector<ValueId> inputs;
    Op op = Op::kCount;  ///< op of the producer or, without a producer, of the last node
  };
  /// The owner of a base's memory.
  enum class Owner : std::uint8_t { kArena, kInput, kRun, kConstant };

  void warm_up() const;
  void fuse_chains();
  std::unique_ptr<PreparedKernel> make_kernel(const NodeChain& chain);
  KernelFn find_kernel(const GraphNode& node) const;
  const Plan::Prepared* find_shared_kernel(const GraphNode& node) const;
  const PreparedKernel* prepare(const GraphNode& node);
  void add_step(const GraphNode& node, Op op, std::span<const ValueId> inputs, KernelFn kernel,
                const PreparedKernel* prepared);
  const Backend& choose_loop_backend(const GraphNode& node) const;
  void add_loop(const GraphNode& node);
  void store_integers_as_bytes();
  std::vector<Owner> find_owners() const;
  std::vector<StepValues> list_step_values() const;
  void bind_values();
  void bind_value(ValueId id, BufferView location, Owner owner);
  void retain_constants();
  void plan_releases();
  bool on_device() const { return backend_.is_device(); }

  Plan& plan_;
  const Graph& graph_;
  const Backend& backend_;
  const std::vector<BufferView> views_;
  std::vector<FusionResult> fused_;  ///< indexed by node
  std::vector<bool> holds_bytes_;    ///< indexed by value: true if its elements are stored as bytes
};

}  // namespace tenure
