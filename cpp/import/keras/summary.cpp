#include "import/keras/summary.h"

#include <algorithm>
#include <cmath>

#include "core/text.h"
#include "import/keras/shapes.h"

namespace tenure::keras {
namespace {

std::size_t count_parameters(const std::vector<NamedWeight>& weights) {
  std::size_t count = 0;
  for (const NamedWeight& weight : weights) count += weight.weight->value.elements();
  return count;
}

std::string shapes_text(const std::vector<Shape>& shapes) {
  std::string joined = "[";
  for (const Shape& shape : shapes) joined += (joined.size() > 1 ? "," : "") + shape_text(shape);
  return joined + "]";
}

std::string input_text(const LayerInfo& layer) {
  std::string joined;
  for (const auto& shapes : layer.input_shapes) joined += (joined.empty() ? "" : ",") + shapes_text(shapes);
  return joined;
}

std::string output_text(const LayerInfo& layer) {
  const auto& calls = layer.output_shapes;
  const bool alike =
      std::all_of(calls.begin(), calls.end(), [&](const auto& shapes) { return shapes == calls.front(); });
  if (calls.empty() || !alike) return "multiple";
  return calls.front().size() == 1 ? shape_text(calls.front().front()) : shapes_text(calls.front());
}

/// True if the calls form a chain: one call per depth, counted from the outputs, and each layer called once.
bool is_sequential_like(const Network& network) {
  const auto& calls = network.calls();
  std::vector<int> depth(calls.size(), 0);
  // Inputs that are not a layer have the index -1.
  std::vector<int> depth_of_layer(network.layers().size() + 1, 0);
  std::vector<int> calls_of_layer(network.layers().size() + 1, 0);
  std::vector<int> calls_at_depth(calls.size() + 1, 0);
  for (std::size_t i = calls.size(); i-- > 0;) {
    const auto layer = static_cast<std::size_t>(calls[i].layer) + 1;
    int& layer_depth = depth_of_layer[layer];
    layer_depth = depth[i] = std::max(depth[i], layer_depth);
    if (calls[i].inputs.size() > 1 || ++calls_at_depth[depth[i]] > 1 || ++calls_of_layer[layer] > 1)
      return false;
    for (const TensorRef& ref : calls[i].inputs) {
      int& input_depth = depth[static_cast<std::size_t>(ref.call)];
      input_depth = std::max(input_depth, depth[i] + 1);
    }
  }
  return true;
}

/// Returns a line of fields in columns that end at `positions`. Fields that are too long are cut.
std::string row(const std::vector<std::string>& fields, const std::vector<std::size_t>& positions) {
  std::string line;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (i > 0) line = line.substr(0, line.size() - 1) + " ";
    line += fields[i];
    line.resize(positions[i], ' ');
  }
  return line + "\n";
}

}  // namespace

std::vector<LayerInfo> describe_layers(const Network& network, const std::vector<Specs>& specs) {
  std::vector<LayerInfo> infos;
  for (const LayerPtr& layer : network.layers()) {
    infos.push_back({layer->name(), layer->class_name(), {}, {}, {}, 0});
    std::vector<NamedWeight> weights;
    layer->collect_weights("", true, weights);
    infos.back().parameters = count_parameters(weights);
  }
  const auto& calls = network.calls();
  for (std::size_t i = 0; i < calls.size(); ++i) {
    if (calls[i].layer == NetworkCall::kHidden) continue;
    LayerInfo& info = infos[static_cast<std::size_t>(calls[i].layer)];
    std::vector<Shape> inputs;
    for (const TensorRef& ref : calls[i].inputs) {
      const NetworkCall& from = calls[static_cast<std::size_t>(ref.call)];
      inputs.push_back(specs[static_cast<std::size_t>(ref.call)][static_cast<std::size_t>(ref.tensor)].shape);
      const std::string name = from.layer == NetworkCall::kHidden
                                   ? network.inputs()[0].name
                                   : network.layers()[static_cast<std::size_t>(from.layer)]->name();
      info.connections.push_back(text(name, "[", from.node, "][", ref.tensor, "]"));
    }
    std::vector<Shape> outputs;
    for (const TensorSpec& output : specs[i]) outputs.push_back(output.shape);
    info.input_shapes.push_back(inputs.empty() ? outputs : inputs);
    info.output_shapes.push_back(std::move(outputs));
  }
  return infos;
}

std::string summarize(Network& network, const std::vector<Specs>& specs, int line_length) {
  const bool sequential_like = is_sequential_like(network);
  const auto length = static_cast<std::size_t>(line_length > 0 ? line_length : sequential_like ? 90 : 115);
  std::vector<std::size_t> positions;
  for (const double part :
       sequential_like ? std::vector{0.32, 0.61, 0.89, 1.0} : std::vector{0.24, 0.48, 0.7, 0.8, 1.0}) {
    positions.push_back(static_cast<std::size_t>(std::floor(static_cast<double>(length) * part)));
  }
  std::vector<std::string> header = {"Layer (type)", "Input Shape", "Output shape", "Param #"};
  if (!sequential_like) header.push_back("Receives inputs");

  std::string result =
      std::string(length, '_') + "\n" + row(header, positions) + std::string(length, '=') + "\n";
  const std::vector<LayerInfo> layers = describe_layers(network, specs);
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const LayerInfo& layer = layers[i];
    std::vector<std::string> fields = {text(layer.name, " (", layer.class_name, ")"), input_text(layer),
                                       output_text(layer), text(layer.parameters)};
    if (!sequential_like) fields.push_back(layer.connections.empty() ? "" : layer.connections[0]);
    result += row(fields, positions);
    for (std::size_t c = 1; !sequential_like && c < layer.connections.size(); ++c) {
      result += row({"", "", "", "", layer.connections[c]}, positions);
    }
    result += std::string(length, i + 1 == layers.size() ? '=' : '_') + "\n";
  }
  std::vector<NamedWeight> weights;
  network.collect_weights("", true, weights);
  const std::size_t total = count_parameters(weights);
  std::erase_if(weights, [](const NamedWeight& weight) { return !weight.trainable; });
  const std::size_t trainable = count_parameters(weights);
  return result +
         text("Total params: ", total, "\nTrainable params: ", trainable,
              "\nNon-trainable params: ", total - trainable, "\n") +
         std::string(length, '_') + "\n";
}

}  // namespace tenure::keras
