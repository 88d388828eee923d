#include "import/keras/network.h"

#include <algorithm>

#include "core/error.h"
#include "model/graph/tracer.h"

namespace tenure::keras {
namespace {

/// Tensor with its mask of valid steps, which may be empty.
struct Masked {
  Tensor tensor;
  Tensor mask;
};

LayerResult split(std::vector<Masked> values) {
  LayerResult result;
  for (Masked& value : values) {
    result.outputs.push_back(std::move(value.tensor));
    result.masks.push_back(std::move(value.mask));
  }
  return result;
}

std::vector<Masked> join(const Tensors& tensors, const Tensors& masks) {
  std::vector<Masked> values;
  values.reserve(tensors.size());
  for (std::size_t i = 0; i < tensors.size(); ++i)
    values.push_back({tensors[i], i < masks.size() ? masks[i] : Tensor()});
  return values;
}

}  // namespace

Network::Network(NetworkParts parts)
    : Layer(std::move(parts.class_name), std::move(parts.name), true),
      layers_(std::move(parts.layers)),
      calls_(std::move(parts.calls)),
      inputs_(std::move(parts.inputs)),
      outputs_(std::move(parts.outputs)) {
  const auto check_ref = [&](const TensorRef& ref, std::size_t end) {
    check(ref.call >= 0 && static_cast<std::size_t>(ref.call) < end && ref.tensor >= 0, "model \"",
          this->name(), "\" reads output ", ref.tensor, " of call ", ref.call, " before that call");
  };
  std::vector<bool> is_fed(calls_.size(), false);
  for (const NetworkInput& input : inputs_) {
    check_ref({input.call, 0}, calls_.size());
    is_fed[static_cast<std::size_t>(input.call)] = true;
  }
  for (std::size_t i = 0; i < calls_.size(); ++i) {
    const int layer = calls_[i].layer;
    check(is_fed[i] || (layer >= 0 && static_cast<std::size_t>(layer) < layers_.size()), "model \"",
          this->name(), "\" has no layer ", layer);
    for (const TensorRef& ref : calls_[i].inputs) check_ref(ref, i);
  }
  for (const NetworkOutput& output : outputs_) check_ref(output.from, calls_.size());
}

// T is Masked when the network runs, TensorSpec while weights are declared.
template <class T, class F>
std::vector<std::vector<T>> Network::for_each_call(const std::vector<T>& inputs, F f) {
  check(inputs.size() == inputs_.size(), "model \"", name(), "\" expects ", inputs_.size(), " inputs, got ",
        inputs.size());
  std::vector<std::vector<T>> results(calls_.size());
  for (std::size_t i = 0; i < inputs_.size(); ++i)
    results[static_cast<std::size_t>(inputs_[i].call)] = {inputs[i]};
  for (std::size_t i = 0; i < calls_.size(); ++i) {
    if (!results[i].empty()) continue;
    Layer& layer = *layers_[static_cast<std::size_t>(calls_[i].layer)];
    std::vector<T> given;
    for (const TensorRef& ref : calls_[i].inputs) {
      const auto& from = results[static_cast<std::size_t>(ref.call)];
      check(static_cast<std::size_t>(ref.tensor) < from.size(), "layer \"", layer.name(), "\" reads output ",
            ref.tensor, " of a layer that has ", from.size());
      given.push_back(from[static_cast<std::size_t>(ref.tensor)]);
    }
    results[i] = f(layer, std::move(given));
  }
  return results;
}

template <class T>
std::vector<T> Network::select_outputs(const std::vector<std::vector<T>>& results) const {
  std::vector<T> outputs;
  for (const NetworkOutput& output : outputs_) {
    const auto& from = results[static_cast<std::size_t>(output.from.call)];
    check(static_cast<std::size_t>(output.from.tensor) < from.size(), "model \"", name(), "\" reads output ",
          output.from.tensor, " of layer \"", output.name, "\", which has ", from.size());
    outputs.push_back(from[static_cast<std::size_t>(output.from.tensor)]);
  }
  return outputs;
}

std::vector<Specs> Network::declare_all(const Specs& inputs, CallBudget& budget) {
  return for_each_call(inputs,
                       [&](Layer& layer, const Specs& given) { return layer.declare(given, budget); });
}

Specs Network::infer(const Specs& inputs, CallBudget& budget) {
  return select_outputs(declare_all(inputs, budget));
}

LayerResult Network::run(const LayerCall& call) {
  const RunContext& context = call.context;
  return split(select_outputs(
      for_each_call(join(call.inputs, call.masks), [&](Layer& layer, std::vector<Masked> given) {
        auto [tensors, masks] = split(std::move(given));
        if (context.tracer) context.tracer->set_layer(layer.name());
        const auto [outputs, output_masks] = layer({std::move(tensors), std::move(masks), context});
        return join(outputs, output_masks);
      })));
}

bool Network::must_run_eagerly() const {
  return std::any_of(layers_.begin(), layers_.end(),
                     [](const LayerPtr& layer) { return layer->must_run_eagerly(); });
}

void Network::collect_weights(const std::string&, bool trainable, std::vector<NamedWeight>& out) {
  for (const LayerPtr& layer : layers_) layer->collect_weights(layer->name(), trainable && trainable_, out);
}

}  // namespace tenure::keras
