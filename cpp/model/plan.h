#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/backend.h"
#include "model/graph.h"
#include "model/views.h"

namespace tenure {

/// A graph made ready to run: steps in order, every intermediate value at its place in one arena. Running it
/// allocates the outputs and nothing else.
class Plan {
 public:
  /// Takes an optimized graph. Throws when memory ends.
  explicit Plan(const Graph& graph);
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

  std::span<const TensorSpec> input_specs() const { return input_specs_; }
  /// The backend that must be the current one when the plan runs.
  const Backend& made_for() const { return backend_; }
  /// Inputs must have the specs of input_specs(). A throw leaves the plan as it was.
  Tensors run(std::span<const Tensor> inputs);

  std::size_t step_count() const { return steps_.size(); }
  /// Bytes of the arena and of what kernels prepared.
  std::size_t bytes() const;
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
    const PreparedKernel* prepared;  ///< null for the op's own kernel
  };
  /// A tensor that every run puts in its place anew, as its bytes are the caller's.
  struct Patch {
    ValueId value;
    ValueId root;
    TensorSpec spec;
  };
  /// A kernel made ready for one node and all that are like it.
  struct Prepared {
    std::size_t node;
    std::unique_ptr<PreparedKernel> kernel;
  };
  class Unpatch;
  void place_values(const Graph& graph, const std::vector<Place>& places);
  const PreparedKernel* prepare(const Graph& graph, const Node& node);
  void add_step(const Graph& graph, const Node& node);

  const Backend& backend_;
  std::vector<TensorSpec> input_specs_;
  std::vector<Tensor> tensors_;  ///< by ValueId; steps point into it
  std::vector<Step> steps_;
  std::vector<const Tensor*> pointers_;
  std::vector<std::int32_t> words_;
  std::vector<Patch> from_inputs_;  ///< each after its root, whose root is itself
  std::vector<Patch> from_outputs_;
  std::vector<ValueId> inputs_;
  std::vector<ValueId> outputs_;
  std::vector<Prepared> prepared_;
  std::vector<const Storage*> constants_;
  StoragePtr arena_;
};

}  // namespace tenure
