// The raw calls for layers, which JavaScript refers to by numbers.

#include "core/error.h"
#include "import/keras/model/layers_model.h"
#include "model/files/json.h"
#include "owner/ownership.h"
#include "wasm/adopt_weights.h"
#include "wasm/call.h"
#include "wasm/json_text.h"
#include "wasm/layers.h"

namespace tenure::wasm {
namespace {

using keras::NamedWeight;
using keras::Network;
using keras::Specs;
using keras::Weight;

/// The engine's handles.
class OwnedHandles final : public keras::TensorHandles {
 public:
  const Tensor* find(std::uint64_t handle) const override { return ownership().find(handle); }
  void assign(std::uint64_t handle, const Tensor& value) override { ownership().assign(handle, value); }
  std::uint64_t replaced() const override { return ownership().handles().replaced(); }
};

Json parse_at(std::uintptr_t address, std::size_t bytes, std::string_view what) {
  return Json::parse({reinterpret_cast<const char*>(address), bytes}, what);
}

int get_int(const Json& json) {
  check(json.is_int(), "expected an integer, got ", json);
  return json.to_int();
}

Shape shape_from(const Json& json) {
  Shape shape;
  check(json.items().size() <= kMaxRank, "at most ", kMaxRank, " dimensions are supported");
  for (const Json& extent : json.items()) shape.push_back(extent.is_null() ? -1 : get_int(extent));
  return shape;
}

/// Reads [call, tensor].
keras::TensorRef ref_from(const Json& json) {
  return {get_int(json.items().at(0)), get_int(json.items().at(1))};
}

/// Reads {class_name, name, layers: [number], calls: [[layer, node, [ref]]], inputs: [[name, shape, dtype,
/// call]], outputs: [[name, ref]]}.
keras::NetworkParts parts_from(const Json& json) {
  const keras::Config config(json, "the model");
  keras::NetworkParts parts{config.string("class_name"), config.string("name"), {}, {}, {}, {}};
  for (const Json& number : config.array("layers")) parts.layers.push_back(layers().get(get_int(number)));
  for (const Json& call : config.array("calls")) {
    const auto& items = call.items();
    parts.calls.push_back({get_int(items.at(0)), get_int(items.at(1)), {}});
    for (const Json& ref : items.at(2).items()) parts.calls.back().inputs.push_back(ref_from(ref));
  }
  for (const Json& input : config.array("inputs")) {
    const auto& items = input.items();
    parts.inputs.push_back({items.at(0).string(), shape_from(items.at(1)),
                            static_cast<DType>(get_int(items.at(2))), get_int(items.at(3))});
  }
  for (const Json& output : config.array("outputs"))
    parts.outputs.push_back({output.items().at(0).string(), ref_from(output.items().at(1))});
  return parts;
}

constexpr int kMaxSpecWords = 2 + kMaxRank;

/// Reads specs from the scratch, each [dtype, rank, extents ...].
Specs specs_in_scratch(int count) {
  check(count >= 0 && count <= kScratchWords / kMaxSpecWords, "at most ", kScratchWords / kMaxSpecWords,
        " inputs are supported, got ", count);
  Specs specs;
  const std::int32_t* at = scratch;
  for (int i = 0; i < count; ++i) {
    TensorSpec spec{{}, static_cast<DType>(*at++)};
    const std::int32_t rank = *at++;
    check(rank >= 0 && rank <= kMaxRank, "at most ", kMaxRank, " dimensions are supported, got ", rank);
    for (int d = 0; d < rank; ++d) spec.shape.push_back(*at++);
    specs.push_back(spec);
  }
  return specs;
}

int write_specs(const Specs& specs) {
  check(specs.size() <= kScratchWords / kMaxSpecWords, "at most ", kScratchWords / kMaxSpecWords,
        " outputs are supported, got ", specs.size());
  std::int32_t* at = scratch;
  for (const TensorSpec& spec : specs) {
    *at++ = static_cast<std::int32_t>(spec.dtype);
    *at++ = spec.shape.rank;
    for (const std::int32_t extent : spec.shape) *at++ = extent;
  }
  return static_cast<int>(specs.size());
}

std::string describe(const NamedWeight& weight) {
  return json_object({{"id", std::to_string(weight.weight->handle)},
                      {"name", json_string(weight.name)},
                      {"shape", json_shape(weight.weight->value.shape())},
                      {"dtype", json_dtype(weight.weight->value.dtype())},
                      {"trainable", weight.weight->trainable ? "true" : "false"}});
}

std::string describe(const keras::TensorRef& ref) { return text("[", ref.call, ",", ref.tensor, "]"); }

std::string describe(Network& network) {
  Specs given;
  for (const keras::NetworkInput& input : network.inputs()) given.push_back({input.shape, input.dtype});
  keras::CallBudget work;
  const std::vector<Specs> specs = network.declare_all(given, work);
  std::size_t i = 0;
  return json_object(
      {{"name", json_string(network.name())},
       {"className", json_string(network.class_name())},
       {"trainable", network.trainable() ? "true" : "false"},
       {"inputs", json_list(network.inputs(),
                            [](const keras::NetworkInput& input) {
                              return json_object({{"name", json_string(input.name)},
                                                  {"shape", json_shape(input.shape)},
                                                  {"dtype", json_dtype(input.dtype)},
                                                  {"call", std::to_string(input.call)}});
                            })},
       {"outputs", json_list(network.outputs(), [](const auto& output) { return describe(output.from); })},
       {"calls", json_list(network.calls(),
                           [&](const keras::NetworkCall& call) {
                             return json_object(
                                 {{"layer", std::to_string(call.layer)},
                                  {"inputs",
                                   json_list(call.inputs, [](const auto& ref) { return describe(ref); })},
                                  {"shapes", json_list(specs[i++], [](const TensorSpec& spec) {
                                     return json_shape(spec.shape);
                                   })}});
                           })},
       {"layers", json_list(network.layers(), [](const keras::LayerPtr& layer) {
          return json_object(
              {{"number", std::to_string(layers().add(layer))}, {"name", json_string(layer->name())}});
        })}});
}

}  // namespace

keras::LayerTable& layers() {
  static keras::LayerTable table;
  return table;
}

keras::TensorHandles& weight_handles() {
  static OwnedHandles handles;
  return handles;
}

/// Makes a layer from `bytes` bytes of JSON, {class_name, config}. Returns its number.
TENURE_CALL int tn_make_layer(std::uintptr_t address, std::size_t bytes) {
  return guarded([&] { return layers().add(keras::make_layer(parse_at(address, bytes, "the layer"))); });
}
/// Makes a network of layers from JSON; see parts_from(). Returns its number.
TENURE_CALL int tn_make_network(std::uintptr_t address, std::size_t bytes) {
  return guarded([&] {
    return layers().add(std::make_shared<Network>(parts_from(parse_at(address, bytes, "the model"))));
  });
}
/// Loads a layers model. `weights` is a block of `bytes` bytes, which the engine takes ownership of. At
/// `text` are two JSON texts in sequence, `topology` and `specs` bytes long: the topology and the
/// specifications of the weights. Returns the network's number. Unless `strict` is set, weights may be
/// missing.
TENURE_CALL int tn_read_network(std::uintptr_t weights, std::size_t bytes, std::uintptr_t text,
                                std::size_t topology, std::size_t specs, int strict) {
  return guarded([&] {
    const WeightData data = adopt_weights(weights, bytes);
    const auto* words = reinterpret_cast<const char*>(text);
    return layers().add(
        LayersModel::load({words, topology}, {words + topology, specs}, data, strict != 0).network());
  });
}
TENURE_CALL void tn_drop_layer(int number) {
  unguarded([&] { layers().remove(number); });
}

/// Returns JSON in last_error() that describes a network. Its layers get numbers.
TENURE_CALL int tn_describe_network(int number) {
  return return_json([&] { return describe(*layers().get_network(number)); });
}
/// Declares a layer's weights for inputs whose specs are in the scratch. Returns the number of outputs, whose
/// specs are then in the scratch.
TENURE_CALL int tn_declare_layer(int number, int count) {
  return guarded([&] {
    keras::CallBudget work;
    return write_specs(layers().get(number)->declare(specs_in_scratch(count), work));
  });
}
/// Returns JSON in last_error() that describes the weights. Weights with a value get a retained handle.
TENURE_CALL int tn_layer_weights(int number) {
  return return_json([&] {
    const std::vector<NamedWeight> weights = keras::get_weights(*layers().get(number));
    ownership().reserve(weights.size());
    for (const NamedWeight& named : weights) {
      Weight& weight = *named.weight;
      if (!weight.handle && weight.value.has_data()) weight.handle = ownership().add_retained(weight.value);
    }
    return json_list(weights, [](const NamedWeight& weight) { return describe(weight); });
  });
}
/// Sets a weight's value and handle to those of a tensor.
TENURE_CALL int tn_set_weight(int number, int index, double id) {
  return guarded([&] {
    Weight& weight = *keras::get_weights(*layers().get(number)).at(static_cast<std::size_t>(index)).weight;
    weight.value = ownership().get(id_from(id));
    weight.handle = id_from(id);
    keras::bump_version(weight);
    return 0;
  });
}
TENURE_CALL int tn_set_trainable(int number, int trainable) {
  return guarded([&] {
    layers().get(number)->set_trainable(trainable != 0);
    return 0;
  });
}

/// Sets the states of a stateful layer to those whose ids are in the scratch; resets them if `count` is 0.
TENURE_CALL int tn_set_states(int number, int count) {
  return guarded([&] {
    layers().get(number)->set_states(tensors_in_scratch(count));
    return 0;
  });
}

/// Describes the states in which the next call of a stateful layer starts in the scratch. Returns their
/// number.
TENURE_CALL int tn_layer_states(int number) {
  return guarded([&] { return export_results(layers().get(number)->states()); });
}

/// Runs a layer eagerly. The scratch has the ids of its `count` inputs, and of as many masks, 0 for none.
/// Afterwards it describes the outputs, and then the masks of those that have one. Returns the number of
/// outputs plus 256 times a bit set of the outputs that have a mask.
TENURE_CALL int tn_call_layer(int number, int count, int training) {
  return guarded([&] {
    const keras::LayerPtr layer = layers().get(number);
    const std::vector<NamedWeight> weights = keras::get_weights(*layer);
    keras::pull_weights(weights, weight_handles());
    keras::CallBudget work;
    Tensors inputs = tensors_in_scratch(count);
    Tensors masks = optional_tensors_in_scratch(count, kIdWords * count);
    auto [outputs, output_masks] =
        (*layer)({std::move(inputs), std::move(masks), {work, nullptr, training != 0}});
    // Training updates moving averages.
    if (training != 0) keras::push_weights(weights, weight_handles());
    const std::size_t output_count = outputs.size();
    check(output_count <= 16, "a layer gives ", output_count, " outputs");
    int bits = 0;
    for (std::size_t i = 0; i < output_count && i < output_masks.size(); ++i) {
      if (!output_masks[i]) continue;
      bits |= 1 << i;
      outputs.push_back(output_masks[i]);
    }
    export_results(std::move(outputs));
    return static_cast<int>(output_count) + 256 * bits;
  });
}

}  // namespace tenure::wasm
