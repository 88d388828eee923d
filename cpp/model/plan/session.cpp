#include "model/plan/session.h"

#include <algorithm>

#include "core/interruption.h"
#include "core/run/dispatch.h"

namespace tenure {

using interruption::CriticalSection;

namespace {

// Bounds the memory of a program that calls a model with ever new shapes.
constexpr std::size_t kMaxPlans = 8;

/// Scope: marks the running plan, which trim() must not drop.
class RunningScope {
 public:
  RunningScope(const Plan*& running, const Plan& plan) : running_(running) { running_ = &plan; }
  ~RunningScope() { running_ = nullptr; }
  RunningScope(const RunningScope&) = delete;
  RunningScope& operator=(const RunningScope&) = delete;

 private:
  const Plan*& running_;
};

}  // namespace

template <class F>
void Session::drop_plans(F should_drop) {
  for (std::size_t i = plans_.size(); i-- > 0;) {
    if (!should_drop(plans_[i])) continue;
    // Destroyed after the critical section ends, because that takes long.
    const std::unique_ptr<Plan> dropped = std::move(plans_[i].plan);
    const CriticalSection list;
    plans_.erase(plans_.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

void Session::drop_lost_plans() {
  drop_plans([](const CachedPlan& planned) { return planned.generation != planned.chosen->generation(); });
}

Plan& Session::get_plan(std::span<const Tensor> given, FirstRun first_run) {
  drop_lost_plans();
  const Backend& chosen = usable_backend();
  const bool stays_on_device = std::any_of(
      given.begin(), given.end(), [&](const Tensor& input) { return must_stay_on_device(input, chosen); });
  const auto fits = [&](const CachedPlan& planned) {
    const auto specs = planned.plan->input_specs();
    return planned.chosen == &chosen && (!stays_on_device || planned.plan->backend().is_device()) &&
           std::equal(specs.begin(), specs.end(), given.begin(), given.end(),
                      [](const TensorSpec& spec, const Tensor& tensor) { return spec == tensor.spec(); });
  };
  const auto found = std::find_if(plans_.begin(), plans_.end(), fits);
  if (found == plans_.end()) {
    std::vector<TensorSpec> specs;
    for (const Tensor& input : given) specs.push_back(input.spec());
    const ScopedMaterialization materialized;
    // Made before plans_ changes: when memory ends, making a plan drops the others (trim()).
    const Graph graph = make_graph_(specs);
    auto plan = std::make_unique<Plan>(graph, stays_on_device ? chosen : choose_backend(graph), first_run);
    if (plans_.size() == kMaxPlans)
      drop_plans([oldest = plans_.back().plan.get()](const CachedPlan& planned) {
        return planned.plan.get() == oldest;
      });
    const CriticalSection list;
    plans_.insert(plans_.begin(), {&chosen, chosen.generation(), std::move(plan)});
  } else {
    const CriticalSection list;
    std::rotate(plans_.begin(), found, found + 1);
  }
  return *plans_.front().plan;
}

Tensors Session::run(std::span<const Tensor> inputs) {
  Plan& plan = get_plan(inputs, FirstRun::kNow);
  const RunningScope guard(running_, plan);
  return plan.run(inputs);
}

void Session::prelink(std::span<const Tensor> inputs) {
  Plan& plan = get_plan(inputs, FirstRun::kLater);
  const RunningScope guard(running_, plan);
  plan.prelink();
}

std::size_t Session::bytes(std::vector<const Storage*>& constants) const {
  std::size_t bytes = 0;
  for (const CachedPlan& planned : plans_) {
    const auto plan_constants = planned.plan->constants();
    constants.insert(constants.end(), plan_constants.begin(), plan_constants.end());
    bytes += planned.plan->bytes();
  }
  return bytes;
}

void Session::add_to(MemoryReport& report) const {
  for (const CachedPlan& planned : plans_) planned.plan->add_to(report);
}

void Session::repair() noexcept {
  running_ = nullptr;
  for (const CachedPlan& planned : plans_) planned.plan->repair();
}

void Session::trim() noexcept {
  drop_plans([&](const CachedPlan& planned) { return planned.plan.get() != running_; });
}

}  // namespace tenure
