#include "model/keras/network.h"

#include "core/error.h"
#include "model/tracer.h"

namespace tenure::keras {

std::vector<Tensors> Network::run(std::span<const Tensor> inputs, const RunContext& context) {
  check(inputs.size() == inputs_.size(), "model \"", name(), "\" expects ", inputs_.size(), " inputs, got ",
        inputs.size());
  std::vector<Tensors> results(calls_.size());
  Tensors masks(calls_.size());
  for (std::size_t i = 0; i < inputs_.size(); ++i)
    results[static_cast<std::size_t>(inputs_[i].call)] = {inputs[i]};
  for (std::size_t i = 0; i < calls_.size(); ++i) {
    if (!results[i].empty()) continue;
    LayerCall call{{}, {}, context};
    for (const TensorRef& ref : calls_[i].inputs) {
      const auto from = static_cast<std::size_t>(ref.call);
      const auto tensor = static_cast<std::size_t>(ref.tensor);
      check(tensor < results[from].size(), "layer \"",
            layers_[static_cast<std::size_t>(calls_[i].layer)]->name(), "\" reads output ", ref.tensor,
            " of a layer that has ", results[from].size());
      call.inputs.push_back(results[from][tensor]);
      call.masks.push_back(ref.tensor == 0 ? masks[from] : Tensor());
    }
    Layer& layer = *layers_[static_cast<std::size_t>(calls_[i].layer)];
    if (context.tracer) context.tracer->set_layer(layer.name());
    results[i] = layer(call);
    masks[i] = layer.mask(call);
  }
  return results;
}

Tensors Network::select_outputs(const std::vector<Tensors>& results) const {
  Tensors outputs;
  for (const NetworkOutput& output : outputs_) {
    const Tensors& from = results[static_cast<std::size_t>(output.from.call)];
    check(static_cast<std::size_t>(output.from.tensor) < from.size(), "model \"", name(), "\" wants output ",
          output.from.tensor, " of layer \"", output.name, "\", which has ", from.size());
    outputs.push_back(from[static_cast<std::size_t>(output.from.tensor)]);
  }
  return outputs;
}

Tensors Network::call(const LayerCall& call) { return select_outputs(run(call.inputs, call.context)); }

void Network::collect_weights(const std::string&, bool trainable, std::vector<NamedWeight>& out) {
  for (const LayerPtr& layer : layers_) layer->collect_weights(layer->name(), trainable && trainable_, out);
}

}  // namespace tenure::keras
