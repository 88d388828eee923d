#include "import/graphdef/load.h"

#include "core/run/tape.h"
#include "import/graphdef/reader.h"
#include "model/files/json.h"

namespace tenure::graphdef {
namespace {

LoadContext make_context(const std::vector<NamedTensor>& weights, std::vector<std::string> custom_ops) {
  LoadContext context{{}, std::move(custom_ops)};
  for (const NamedTensor& weight : weights) context.weights.emplace(weight.name, weight.tensor);
  return context;
}

}  // namespace

GraphModel load_model(std::string_view topology_json, std::string_view weight_specs_json,
                      const WeightData& weight_data, std::vector<std::string> custom_ops) {
  const TapePause no_tape;
  std::vector<NamedTensor> weights =
      decode_weights(parse_weight_specs(Json::parse(weight_specs_json, "the weights manifest")), weight_data);
  Definition definition =
      read_definition(Json::parse(topology_json, "the model"), make_context(weights, std::move(custom_ops)));
  return {std::move(weights), std::move(definition)};
}

void initialize(GraphModel& model, std::string_view topology_json,
                std::span<const std::pair<std::string, std::string>> captures,
                std::vector<std::string> custom_ops) {
  model.initialize(read_definition(Json::parse(topology_json, "the initializer"),
                                   make_context(model.weights(), std::move(custom_ops))),
                   captures);
}

}  // namespace tenure::graphdef
