#pragma once

#include "model/plan/plan.h"

namespace tenure {

/// Runs a loop of a graph on the CPU: the body is a plan, run once for each step.
class LoopKernel final : public PreparedKernel {
 public:
  explicit LoopKernel(std::shared_ptr<const Loop> loop);

  void run(const KernelArgs& args) const override;
  std::size_t bytes() const override { return plan_.bytes(); }
  void add_to(Account& account) const override { plan_.add_to(account); }
  /// The memory of the body's constants.
  std::span<const Storage* const> constants() const { return plan_.constants(); }

 private:
  std::shared_ptr<const Loop> loop_;
  mutable Plan plan_;  // A run leaves it as it was.
};

}  // namespace tenure
