#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "core/memory/memory_tracked.h"
#include "model/plan/plan.h"

namespace tenure {

/// A runner of a model with a small LRU cache of plans, one for each combination of input shapes and dtypes.
/// Independent of file formats and layers.
class Session final : public MemoryTracked {
 public:
  /// A function that returns the optimized graph of the model for inputs of these specs, and throws if the
  /// model does not accept them.
  using MakeGraph = std::function<Graph(std::span<const TensorSpec>)>;

  explicit Session(MakeGraph make_graph) : make_graph_(std::move(make_graph)) {}
  ~Session() override { unlist(); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Runs the model and returns its outputs, which later runs do not overwrite. The session stays valid if it
  /// throws.
  Tensors run(std::span<const Tensor> inputs);
  /// Makes the plan that run() uses for inputs of these specs. `inputs` may be symbolic.
  void prepare(std::span<const Tensor> inputs) { get_plan(inputs, FirstRun::kLater); }
  /// Makes that plan and starts to compile the device's programs for it.
  void prelink(std::span<const Tensor> inputs);

  std::size_t plan_count() const { return plans_.size(); }
  /// Returns the bytes of the plans without their constants. Appends the storages of the constants to
  /// `constants`, because the model may own them too.
  std::size_t bytes(std::vector<const Storage*>& constants) const;
  void add_to(MemoryReport& report) const override;
  void repair() noexcept override;
  void trim() noexcept override;

 private:
  struct CachedPlan {
    /// The backend that was in use when the plan was made. The plan may run on another, faster one:
    /// a plan on the CPU is not used for inputs that must stay on the device.
    const Backend* chosen;
    unsigned generation;
    std::unique_ptr<Plan> plan;
  };
  Plan& get_plan(std::span<const Tensor> given, FirstRun first_run);
  void drop_lost_plans();
  template <class F>
  void drop_plans(F should_drop);

  MakeGraph make_graph_;
  std::vector<CachedPlan> plans_;  ///< most recently used first
  const Plan* running_ = nullptr;
};

}  // namespace tenure
