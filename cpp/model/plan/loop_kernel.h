#pragma once

#include "model/plan/plan.h"

namespace tenure {

/// The kernel of a loop node: runs the plan of the body once for each step, on the CPU or on a device.
class LoopKernel final : public PreparedKernel {
 public:
  /// Plans the body for `backend`, which must support the loop's inputs and its output.
  LoopKernel(std::shared_ptr<const RecurrentLoop> loop, const Backend& backend);

  void run(const KernelArgs& args) const override;
  std::size_t bytes() const override { return plan_.bytes(); }
  void add_to(MemoryReport& report) const override { plan_.add_to(report); }
  /// Returns the storages of the body's constants.
  std::span<const Storage* const> constants() const { return plan_.constants(); }

 private:
  void run_on_cpu(const KernelArgs& args) const;
  void run_on_device(const KernelArgs& args) const;

  std::shared_ptr<const RecurrentLoop> loop_;
  mutable Plan plan_;  // run() is const: a run leaves the plan unchanged.
};

}  // namespace tenure
