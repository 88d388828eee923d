#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/executor/graph_model.h"

namespace tenure::graphdef {

/// Loads a graph in TensorFlow.js's format. `topology_json` is a GraphDef, `weight_specs_json` an array of
/// specs or a manifest, `weight_data` the bytes of all shards, in order. Throws for an invalid file, naming
/// the node or weight, and leaves nothing allocated. Runs stop at nodes of `custom_ops`, whose outputs the
/// caller supplies.
GraphModel load_model(std::string_view topology_json, std::string_view weight_specs_json,
                      const WeightData& weight_data, std::vector<std::string> custom_ops = {});

/// Runs the initializer of a model, a graph that fills its tables, with the model's weights. Binds the
/// placeholders of `captures` to the resources that the initializer's outputs of the captures are.
void initialize(GraphModel& model, std::string_view topology_json,
                std::span<const std::pair<std::string, std::string>> captures,
                std::vector<std::string> custom_ops = {});

}  // namespace tenure::graphdef
