#include "model/plan/session.h"

#include <algorithm>

#include "core/interruption.h"
#include "core/run/dispatch.h"

namespace tenure {

using interruption::CriticalSection;

namespace {

// Bounds the memory of a program that calls a model with ever new shapes.
constexpr std::size_t kMostPlans = 8;

unsigned epoch_of(const Backend& backend) { return backend.epoch ? backend.epoch() : 0; }

/// Scope: marks the running plan, which trim() must not drop.
class Running {
 public:
  Running(const Plan*& running, const Plan& plan) : running_(running) { running_ = &plan; }
  ~Running() { running_ = nullptr; }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

 private:
  const Plan*& running_;
};

}  // namespace

template <class F>
void Session::drop_plans(F is_dropped) {
  for (std::size_t i = plans_.size(); i-- > 0;) {
    if (!is_dropped(plans_[i])) continue;
    // Destroyed after the critical section ends, because that takes long.
    const std::unique_ptr<Plan> dropped = std::move(plans_[i].plan);
    const CriticalSection list;
    plans_.erase(plans_.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

void Session::forget_lost_plans() {
  drop_plans([](const Planned& planned) { return planned.epoch != epoch_of(*planned.chosen); });
}

Plan& Session::plan_for(std::span<const Tensor> given, FirstRun first_run) {
  forget_lost_plans();
  const Backend& chosen = usable_backend();
  const auto fits = [&](const Planned& planned) {
    const auto specs = planned.plan->input_specs();
    return planned.chosen == &chosen &&
           std::equal(specs.begin(), specs.end(), given.begin(), given.end(),
                      [](const TensorSpec& spec, const Tensor& tensor) { return spec == tensor.spec(); });
  };
  const auto found = std::find_if(plans_.begin(), plans_.end(), fits);
  if (found == plans_.end()) {
    std::vector<TensorSpec> specs;
    for (const Tensor& input : given) specs.push_back(input.spec());
    const BriefUnpacking brief;
    // Made before plans_ changes: when memory ends, making a plan drops the others (trim()).
    auto plan = std::make_unique<Plan>(make_graph_(specs), first_run);
    if (plans_.size() == kMostPlans)
      drop_plans([oldest = plans_.back().plan.get()](const Planned& planned) {
        return planned.plan.get() == oldest;
      });
    const CriticalSection list;
    plans_.insert(plans_.begin(), {&chosen, epoch_of(chosen), std::move(plan)});
  } else {
    const CriticalSection list;
    std::rotate(plans_.begin(), found, found + 1);
  }
  return *plans_.front().plan;
}

Tensors Session::run(std::span<const Tensor> inputs) {
  Plan& plan = plan_for(inputs, FirstRun::kNow);
  const Running guard(running_, plan);
  return plan.run(inputs);
}

std::size_t Session::bytes(std::vector<const Storage*>& constants) const {
  std::size_t bytes = 0;
  for (const Planned& planned : plans_) {
    const auto of_plan = planned.plan->constants();
    constants.insert(constants.end(), of_plan.begin(), of_plan.end());
    bytes += planned.plan->bytes();
  }
  return bytes;
}

void Session::add_to(Account& account) const {
  for (const Planned& planned : plans_) planned.plan->add_to(account);
}

void Session::repair() noexcept {
  running_ = nullptr;
  for (const Planned& planned : plans_) planned.plan->repair();
}

void Session::trim() noexcept {
  drop_plans([&](const Planned& planned) { return planned.plan.get() != running_; });
}

}  // namespace tenure
