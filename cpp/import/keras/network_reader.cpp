#include <map>

#include "core/error.h"
#include "import/keras/layer_graph.h"
#include "import/keras/network.h"

namespace tenure::keras {
namespace {

DType parse_dtype(const Config& config) {
  const Json* dtype = config.find("dtype");
  const std::string name = dtype && dtype->is_string() ? dtype->string() : "float32";
  if (name == "int32" || name == "int64") return DType::kInt32;
  return name == "bool" ? DType::kBool : DType::kFloat32;
}

Shape with_batch(const Dims& shape) {
  Shape batched(shape);
  batched.insert(0, -1);
  return batched;
}

/// Returns the input shape that a first layer declares, in any of the forms that Keras has used; rank 0 if
/// none.
Shape declared_input_shape(const Config& config, std::string_view class_name) {
  Shape shape;
  for (const std::string_view key : {"batch_shape", "batch_input_shape"}) {
    if (config.has(key)) shape = Shape(config.dims(key));
  }
  if (shape.empty() && config.has("input_shape")) shape = with_batch(config.dims("input_shape"));
  if (shape.empty() && class_name == "Embedding") shape = with_batch(config.dims("input_length", {-1}));
  if (shape.empty() && config.has("input_dim")) shape = with_batch({config.integer("input_dim")});
  for (const std::int32_t extent : shape) {
    if (extent < -1) config.fail("the input shape ", shape, " has a negative extent");
  }
  return shape;
}

std::string string_or(const Json* json, const std::string& fallback) {
  return json && json->is_string() ? json->string() : fallback;
}

const Json& get_config(const Json& json, const std::string& owner) {
  const Json* config = json.find("config");
  check(config, owner, ": field \"config\" is missing");
  return *config;
}

std::string get_name(const Json& json) {
  const Json* config = json.find("config");
  return string_or(config ? config->find("name") : nullptr, string_or(json.find("name"), "model"));
}

}  // namespace

bool is_network(std::string_view class_name) {
  return class_name == "Sequential" || class_name == "Functional" || class_name == "Model";
}

Network::Network(const Json& json) : Layer(string_or(json.find("class_name"), ""), get_name(json), true) {
  const std::string owner = text("model \"", name(), "\"");
  const Json& config = get_config(json, owner);
  if (config.is_object()) trainable_ = Config(config, owner).flag("trainable", true);
  class_name() == "Sequential" ? read_sequential(config, owner) : read_functional(Config(config, owner));
}

// Before TensorFlow.js 1.3 the config of a Sequential model was a bare list of layers.
void Network::read_sequential(const Json& config, const std::string& owner) {
  const auto& rows = config.is_array() ? config.items() : Config(config, owner).array("layers");
  check(!rows.empty(), owner, " has no layers");
  for (const Json& row : rows) {
    LayerPtr layer = make_layer(row);
    if (inputs_.empty()) {
      const Config first(
          get_config(row, text("layer \"", layer->name(), "\"")).is_object() ? *row.find("config") : row,
          text("layer \"", layer->name(), "\""));
      add_first_layer(*layer, first);
      if (layer->class_name() == "InputLayer") {
        layers_.push_back(std::move(layer));
        continue;
      }
    }
    calls_.push_back({static_cast<int>(layers_.size()), 0, {{static_cast<int>(calls_.size()) - 1, 0}}});
    layers_.push_back(std::move(layer));
  }
  outputs_.push_back({layers_.back()->name(), {static_cast<int>(calls_.size()) - 1, 0}});
}

void Network::add_first_layer(const Layer& layer, const Config& config) {
  if (is_network(layer.class_name())) {
    const auto& nested = static_cast<const Network&>(layer);
    check(
        nested.inputs_.size() == 1,
        "All layers in a Sequential model should have a single input tensor. For multi-input layers, use the "
        "functional API.");
    inputs_.push_back(nested.inputs_[0]);
    inputs_[0].call = 0;
    calls_.push_back({NetworkCall::kHidden, 0, {}});
    return;
  }
  const bool is_listed = layer.class_name() == "InputLayer";
  const Shape shape = declared_input_shape(config, layer.class_name());
  if (shape.empty()) {
    config.fail(
        "The first layer in a Sequential model must get an `inputShape` or `batchInputShape` argument.");
  }
  inputs_.push_back({is_listed ? layer.name() : layer.name() + "_input", shape, parse_dtype(config), 0});
  calls_.push_back({is_listed ? 0 : NetworkCall::kHidden, 0, {}});
}

void Network::read_functional(const Config& config) {
  LayerGraph layer_graph;
  std::map<std::string, Config> input_configs;
  for (const Json& row : config.array("layers")) {
    LayerPtr layer = make_layer(row);
    const Config outer(row, text("layer \"", layer->name(), "\""));
    layer->set_name(outer.string("name", layer->name()));
    std::vector<std::vector<NamedRef>> nodes;
    if (layer->class_name() == "InputLayer") {
      nodes.emplace_back();
      input_configs.emplace(layer->name(), outer.object("config"));
    } else {
      for (const Json& node : outer.array("inbound_nodes")) nodes.push_back(collect_refs(node));
    }
    layer_graph.add_layer(*layer, std::move(nodes));
    layers_.push_back(std::move(layer));
  }
  const std::vector<NamedRef> input_refs = collect_refs(config.value("input_layers"));
  const std::vector<NamedRef> output_refs = collect_refs(config.value("output_layers"));
  if (output_refs.empty()) config.fail("the model has no outputs");
  std::vector<NamedRef> ends = input_refs;
  ends.insert(ends.end(), output_refs.begin(), output_refs.end());
  calls_ = layer_graph.connect(ends);

  const std::string owner = text("model \"", name(), "\"");
  for (const NamedRef& ref : input_refs) {
    const int call = layer_graph.find(ref, owner).call;
    const auto found = input_configs.find(ref.layer);
    check(found != input_configs.end(), owner, ": input layer \"", ref.layer, "\" is not an InputLayer");
    const Shape shape = declared_input_shape(found->second, "InputLayer");
    if (shape.empty()) found->second.fail("field \"batch_input_shape\" is missing");
    inputs_.push_back({ref.layer, shape, parse_dtype(found->second), call});
  }
  for (const NamedRef& ref : output_refs) outputs_.push_back({ref.layer, layer_graph.find(ref, owner)});
}

}  // namespace tenure::keras
