#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/run/backend.h"
#include "model/graph/graph.h"
#include "model/graph/lifetimes.h"
#include "model/graph/views.h"
#include "model/passes/chains.h"
#include "model/plan/placement.h"

namespace tenure {

class Account;

/// When the first run is due: a plan that is made ahead warms up its kernels, which takes longer than it
/// saves a run that waits for it.
enum class FirstRun : std::uint8_t { kNow, kLater };

/// A graph made ready to run: steps in order, on one backend. On the CPU every intermediate value has its
/// place in one arena, and a run allocates the outputs and nothing else; a device's pool gives each value
/// memory for as long as a later step reads it.
class Plan {
 public:
  /// Takes an optimized graph. Throws when memory ends.
  Plan(const Graph& graph, const Backend& backend, FirstRun first_run = FirstRun::kNow);
  explicit Plan(const Graph& graph, FirstRun first_run = FirstRun::kNow)
      : Plan(graph, place_graph(graph), first_run) {}
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

  std::span<const TensorSpec> input_specs() const { return input_specs_; }
  const Backend& backend() const { return backend_; }
  /// Inputs must have the specs of input_specs(). A throw leaves the plan as it was, and names the layer.
  Tensors run(std::span<const Tensor> inputs);

  std::size_t step_count() const { return steps_.size(); }
  /// Bytes of the arena and of what kernels prepared.
  std::size_t bytes() const;
  /// Releases the tensors of a run that was cut short.
  void repair() noexcept;
  /// Its constants and what kernels prepared; the arena is working memory.
  void add_to(Account& account) const;
  /// The memory of its constants, which it may share with the model's weights and other plans.
  std::span<const Storage* const> constants() const { return constants_; }

 private:
  struct Step {
    Op op;
    std::uint32_t first_input;  ///< into pointers_
    std::uint32_t input_count;
    std::uint32_t first_word;  ///< into words_
    std::uint32_t word_count;
    ValueId output;
    KernelFn kernel;                 ///< null for the fallback
    const PreparedKernel* prepared;  ///< in the kernel's place where it is not null
    std::uint32_t first_done;        ///< into done_: the values that no later step reads
    std::uint32_t done_count;
    std::uint32_t layer;  ///< into layers_
    bool is_loop = false;
  };
  /// A tensor that every run puts in its place anew, as its bytes are the caller's.
  struct Patch {
    ValueId value;
    ValueId root;
    TensorSpec spec;
  };
  /// A kernel made ready for one node and all that are like it, or for a chain of nodes.
  struct Prepared {
    std::size_t node;
    bool is_of_node;  ///< false for a chain that ends there, and for a loop
    std::unique_ptr<PreparedKernel> kernel;
  };
  /// What became of a node when chains were fused: it ends one, it is within one, or neither.
  struct Fused {
    bool is_within = false;
    const PreparedKernel* kernel = nullptr;
    std::vector<ValueId> inputs;
    Op op = Op::kCount;  ///< of the head, or else of the last node
  };
  using FusedChains = std::vector<Fused>;  ///< by node
  /// Whose memory a root is.
  enum class Owner : std::uint8_t { kArena, kInput, kRun, kConstant };
  class Unpatch;
  static std::vector<Owner> find_owners(const Graph& graph, const std::vector<Place>& places,
                                        Owner of_others);
  static std::vector<StepValues> steps_of(const Graph& graph, const FusedChains& fused);
  void place_values(const Graph& graph, const std::vector<Place>& places, const FusedChains& fused);
  void place_value(const Graph& graph, ValueId id, Place place, Owner owner);
  const Prepared* prepared_alike(const Graph& graph, const Node& node) const;
  const PreparedKernel* prepare(const Graph& graph, const Node& node);
  void warm_up(const Graph& graph) const;
  void add_loop(const Graph& graph, const Node& node);
  FusedChains fuse_chains(const Graph& graph);
  void add_step(const Node& node, Op op, std::span<const ValueId> inputs, KernelFn kernel,
                const PreparedKernel* prepared);
  std::unique_ptr<PreparedKernel> make_kernel(const Graph& graph, const Chain& chain);
  KernelFn find_kernel(const Graph& graph, const Node& node) const;
  void release_early(const Graph& graph, const std::vector<Place>& places);
  KernelArgs args_of(const Step& step);
  void get_programs();
  void settle_constants(const Graph& graph, const std::vector<Place>& places);
  void run(const Step& step);
  bool on_device() const { return backend_.can_hold != nullptr; }

  const Backend& backend_;
  std::vector<std::string> layers_;
  const char* layer_word_;
  std::vector<TensorSpec> input_specs_;
  std::vector<Tensor> tensors_;  ///< by ValueId; steps point into it
  std::vector<Step> steps_;
  std::vector<const Tensor*> pointers_;
  std::vector<std::int32_t> words_;
  std::vector<Patch> given_;  ///< from inputs, whose roots are themselves
  std::vector<Patch> made_;   ///< outputs, and on a device intermediate values too; roots first
  std::vector<ValueId> inputs_;
  std::vector<ValueId> outputs_;
  std::vector<ValueId> done_;
  std::vector<Prepared> prepared_;
  std::vector<const Storage*> constants_;
  StoragePtr arena_;
  bool is_warm_ = false;
};

}  // namespace tenure
