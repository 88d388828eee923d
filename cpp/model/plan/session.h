#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "core/memory/memory_user.h"
#include "model/plan/plan.h"

namespace tenure {

/// Runs a model: keeps a plan for each combination of input shapes and types that it met, up to a small
/// bound. Knows nothing of files and layers.
class Session final : public MemoryUser {
 public:
  /// The optimized graph of the model for inputs of these specs. Throws when the model cannot take them.
  using MakeGraph = std::function<Graph(std::span<const TensorSpec>)>;

  explicit Session(MakeGraph make_graph) : make_graph_(std::move(make_graph)) {}
  ~Session() override { unlist(); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// The outputs, all fresh. A throw leaves the session as it was.
  Tensors run(std::span<const Tensor> inputs);
  /// Makes the plan of run() for inputs of such specs, which may be symbolic.
  void prepare(std::span<const Tensor> inputs) { plan_for(inputs, FirstRun::kLater); }

  std::size_t plan_count() const { return plans_.size(); }
  /// Bytes of the plans without those of their constants, whose memory is appended to `constants`: a model
  /// may own it too.
  std::size_t bytes(std::vector<const Storage*>& constants) const;
  void add_to(Account& account) const override;
  void repair() noexcept override;
  void trim() noexcept override;

 private:
  struct Planned {
    /// The backend that was to run it; it may run on another, where that takes less time.
    const Backend* chosen;
    unsigned epoch;
    std::unique_ptr<Plan> plan;
  };
  Plan& plan_for(std::span<const Tensor> given, FirstRun first_run);
  void forget_lost_plans();
  template <class F>
  void drop_plans(F is_dropped);

  MakeGraph make_graph_;
  std::vector<Planned> plans_;  ///< the one used last comes first
  const Plan* running_ = nullptr;
};

}  // namespace tenure
