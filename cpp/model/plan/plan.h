#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/run/backend.h"
#include "model/graph/graph.h"
#include "model/plan/placement.h"

namespace tenure {

class MemoryReport;

/// The time of a plan's first run. kLater warms up the kernels; kNow does not, because the warm-up takes
/// longer than it saves for a run that waits for it.
enum class FirstRun : std::uint8_t { kNow, kLater };

/// A graph compiled to a list of steps on one backend. On the CPU all intermediate values are in one arena,
/// and a run allocates only the outputs. On a device each value takes memory from the device's pool and
/// releases it after its last read.
class Plan {
 public:
  /// Compiles an optimized graph. Throws Error(kOutOfMemory) when memory ends.
  Plan(const Graph& graph, const Backend& backend, FirstRun first_run = FirstRun::kNow);
  explicit Plan(const Graph& graph, FirstRun first_run = FirstRun::kNow)
      : Plan(graph, choose_backend(graph), first_run) {}
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

  std::span<const TensorSpec> input_specs() const { return input_specs_; }
  const Backend& backend() const { return backend_; }
  /// Runs all steps and returns the outputs. Inputs must have the specs of input_specs(). If a step throws,
  /// the plan is unchanged, and the message names the layer unless memory ended.
  Tensors run(std::span<const Tensor> inputs);
  /// Starts to compile the device's programs for all steps, and runs none. Does nothing on the CPU, and after
  /// the first time.
  void prelink();

  std::size_t step_count() const { return steps_.size(); }
  /// Returns the bytes of the arena and of the prepared kernels.
  std::size_t bytes() const;
  /// Releases the tensors that an interrupted run has left bound.
  void repair() noexcept;
  /// Adds the memory of the constants and the prepared kernels. The arena is not added: it is a workspace.
  void add_to(MemoryReport& report) const;
  /// Returns the storages of the constants, which may be shared with the model's weights and other plans.
  std::span<const Storage* const> constants() const { return constants_; }

 private:
  friend class PlanBuilder;

  struct Step {
    Op op;
    std::uint32_t first_input;  ///< index into pointers_
    std::uint32_t input_count;
    std::uint32_t first_word;  ///< index into words_
    std::uint32_t word_count;
    ValueId output;
    KernelFn kernel;                 ///< null to fall back to the CPU
    const PreparedKernel* prepared;  ///< runs instead of `kernel` if not null
    std::uint32_t first_release;     ///< index into releases_: the values that no later step reads
    std::uint32_t release_count;
    std::uint32_t layer;  ///< index into layers_
    bool is_loop = false;
  };
  /// A tensor that each run binds anew, because the plan does not own its bytes.
  struct ExternalBinding {
    ValueId value;
    ValueId base;
    TensorSpec spec;
  };
  /// A prepared kernel of one node and of all nodes like it, or of a chain or a loop.
  struct Prepared {
    std::size_t node;
    bool is_of_node;  ///< false for a chain that ends at `node`, and for a loop
    std::unique_ptr<PreparedKernel> kernel;
  };
  class BindingReset;
  KernelArgs make_args(const Step& step);
  /// Binds the inputs, and the tensors that a run allocates.
  void bind(std::span<const Tensor> inputs);
  void prelink_programs();
  void run(const Step& step);
  bool on_device() const { return backend_.is_device(); }

  const Backend& backend_;
  std::vector<std::string> layers_;
  const char* layer_kind_;
  std::vector<TensorSpec> input_specs_;
  std::vector<Tensor> tensors_;  ///< indexed by ValueId; steps point into it
  std::vector<Step> steps_;
  std::vector<const Tensor*> pointers_;
  std::vector<std::int32_t> words_;
  std::vector<ExternalBinding> input_bindings_;  ///< inputs and their views; an input is its own base
  std::vector<ExternalBinding>
      output_bindings_;  ///< outputs and, on a device, intermediate values; bases come first
  std::vector<ValueId> inputs_;
  std::vector<ValueId> outputs_;
  std::vector<ValueId> releases_;
  std::vector<Prepared> prepared_;
  std::vector<const Storage*> constants_;
  StoragePtr arena_;
  bool is_warm_ = false;
};

}  // namespace tenure
