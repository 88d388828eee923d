#include "model/plan/plan.h"

#include <utility>

#include "core/memory/memory_tracked.h"
#include "core/run/dispatch.h"
#include "core/run/fault_injection.h"
#include "model/plan/plan_builder.h"

namespace tenure {

Plan::Plan(const Graph& graph, const Backend& backend, FirstRun first_run)
    : backend_(backend),
      layers_(graph.layers),
      layer_kind_(graph.layer_kind),
      tensors_(graph.values.size()),
      inputs_(graph.inputs),
      outputs_(graph.outputs) {
  for (const ValueId input : inputs_) input_specs_.push_back(graph.spec(input));
  PlanBuilder(*this, graph).build(first_run);
}

std::size_t Plan::bytes() const {
  std::size_t bytes = arena_->bytes();
  for (const Prepared& prepared : prepared_) bytes += prepared.kernel->bytes();
  return bytes;
}

void Plan::add_to(MemoryReport& report) const {
  for (const Storage* constant : constants_) report.add(MemoryPart::kWeights, constant);
  for (const Prepared& prepared : prepared_) prepared.kernel->add_to(report);
}

void Plan::repair() noexcept {
  for (const ExternalBinding& binding : input_bindings_) tensors_[binding.value] = Tensor();
  for (const ExternalBinding& binding : output_bindings_) tensors_[binding.value] = Tensor();
}

/// Scope: releases the tensors bound for a run at its end, also if it throws.
class Plan::BindingReset {
 public:
  explicit BindingReset(Plan& plan) : plan_(plan) {}
  ~BindingReset() { plan_.repair(); }
  BindingReset(const BindingReset&) = delete;
  BindingReset& operator=(const BindingReset&) = delete;

 private:
  Plan& plan_;
};

KernelArgs Plan::make_args(const Step& step) {
  const std::span<const Tensor* const> pointers(pointers_);
  const std::span<const std::int32_t> words(words_);
  return {Inputs(pointers.subspan(step.first_input, step.input_count)),
          AttrsView(words.subspan(step.first_word, step.word_count)), tensors_[step.output]};
}

void Plan::prelink_programs() {
  if (std::exchange(is_warm_, true) || !on_device() || !backend_.device->begin_prelink()) return;
  try {
    for (const Step& step : steps_) {
      if (step.is_loop) continue;
      if (step.prepared) {
        step.prepared->run(make_args(step));
      } else if (step.kernel) {
        step.kernel(make_args(step));
      }
    }
  } catch (...) {
    backend_.device->end_prelink();
    throw;
  }
  backend_.device->end_prelink();
}

void Plan::run(const Step& step) {
  const NodeScope node(layers_[step.layer]);
  try {
    fault_injection::op();
    run_planned(step.op, make_args(step), step.kernel, step.prepared);
  } catch (const Error& error) {
    const std::string& layer = layers_[step.layer];
    if (error.code() == ErrorCode::kOutOfMemory || layer.empty()) throw;
    fail_with(error.code(), text(error.what(), " (", layer_kind_, " \"", layer, "\")"));
  }
}

void Plan::bind(std::span<const Tensor> inputs) {
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    tensors_[inputs_[i]] = inputs[i];
    // Fetches the bytes on this thread, before the worker threads of kernels read them.
    if (!on_device()) inputs[i].storage()->data();
  }
  for (const ExternalBinding& binding : input_bindings_) {
    if (binding.value != binding.base)
      tensors_[binding.value] = Tensor(tensors_[binding.base].storage(), binding.spec);
  }
  for (const ExternalBinding& binding : output_bindings_) {
    tensors_[binding.value] = binding.value != binding.base
                                  ? Tensor(tensors_[binding.base].storage(), binding.spec)
                              : on_device() ? Tensor::deferred(binding.spec)
                                            : Tensor(binding.spec);
  }
}

void Plan::prelink() {
  if (!on_device()) return;
  const BindingReset reset_bindings(*this);
  Tensors inputs;
  inputs.reserve(input_specs_.size());
  // Kernels only look at the specs of tensors that have no values yet.
  for (const TensorSpec& spec : input_specs_) inputs.push_back(Tensor::deferred(spec));
  bind(inputs);
  prelink_programs();
}

Tensors Plan::run(std::span<const Tensor> inputs) {
  const BindingReset reset_bindings(*this);
  bind(inputs);
  prelink_programs();
  for (const Step& step : steps_) {
    run(step);
    for (const ValueId id : std::span(releases_).subspan(step.first_release, step.release_count))
      tensors_[id] = Tensor();
  }
  Tensors outputs;
  outputs.reserve(outputs_.size());
  for (const ValueId output : outputs_) outputs.push_back(tensors_[output]);
  return outputs;
}

}  // namespace tenure
