#include "import/graphdef/graph_model.h"

#include <algorithm>

#include "core/heap_sort.h"
#include "core/interruption.h"
#include "core/memory/memory_tracked.h"
#include "core/run/tape.h"
#include "import/graphdef/reader.h"
#include "model/executor/program.h"
#include "model/files/json.h"

namespace tenure {

struct GraphModel::State final : MemoryTracked {
  std::vector<NamedTensor> weights;
  std::vector<std::string> custom_ops;
  executor::Definition definition;
  executor::Resources resources;
  std::vector<std::unique_ptr<executor::Program>> programs;

  State() = default;
  ~State() override { unlist(); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  graphdef::Context context() const {
    graphdef::Context context{{}, custom_ops};
    for (const NamedTensor& weight : weights) context.weights.emplace(weight.name, weight.tensor);
    return context;
  }
  executor::Program& program(int number) const {
    check(number >= 0 && static_cast<std::size_t>(number) < programs.size(), "there is no such program");
    return *programs[static_cast<std::size_t>(number)];
  }
  void add_to(MemoryReport& report) const override {
    for (const NamedTensor& weight : weights) report.add(MemoryPart::kWeights, weight.tensor.storage().get());
  }
};

GraphModel::GraphModel(std::unique_ptr<State> state) : state_(std::move(state)) {}
GraphModel::GraphModel(GraphModel&&) noexcept = default;
GraphModel& GraphModel::operator=(GraphModel&&) noexcept = default;
GraphModel::~GraphModel() = default;

GraphModel GraphModel::load(std::string_view topology_json, std::string_view weight_specs_json,
                            const WeightData& weight_data, std::vector<std::string> custom_ops) {
  const TapePause no_tape;
  auto state = std::make_unique<State>();
  state->custom_ops = std::move(custom_ops);
  state->weights =
      decode_weights(parse_weight_specs(Json::parse(weight_specs_json, "the weights manifest")), weight_data);
  state->definition = graphdef::read_definition(Json::parse(topology_json, "the model"), state->context());
  return GraphModel(std::move(state));
}

void GraphModel::initialize(std::string_view topology_json, std::span<const Capture> captures) {
  const TapePause no_tape;
  const executor::Definition initializer =
      graphdef::read_definition(Json::parse(topology_json, "the initializer"), state_->context());
  const executor::InitializerRun run(initializer, state_->resources);
  for (const Capture& capture : captures) {
    const executor::Ref placeholder = graphdef::find_output(state_->definition.main, capture.placeholder);
    state_->definition.main.nodes[placeholder.node].resource =
        run.output(graphdef::find_output(initializer.main, capture.output)).object;
  }
}

std::vector<GraphInput> GraphModel::inputs() const {
  std::vector<GraphInput> inputs;
  for (const executor::Node& node : state_->definition.main.nodes) {
    if (node.role == executor::NodeRole::kInput || node.role == executor::NodeRole::kOptionalInput)
      inputs.push_back({node.name, node.attrs.shape("shape"), node.attrs.find_dtype("dtype")});
  }
  return inputs;
}

std::vector<std::string> GraphModel::leaves() const {
  std::vector<std::string> names;
  for (const executor::Ref& leaf : state_->definition.main.leaves())
    names.push_back(state_->definition.main.nodes[leaf.node].name);
  return names;
}

const std::vector<NamedTensor>& GraphModel::weights() const { return state_->weights; }
bool GraphModel::has_node(std::string_view name) const {
  return state_->definition.main.names.contains(std::string(name));
}

int GraphModel::compile(std::span<const std::string> inputs, std::span<const std::string> outputs) {
  const executor::Block& block = state_->definition.main;
  std::string unknown;
  for (const std::string& name : inputs) {
    if (!has_node(name.substr(0, name.find(':')))) unknown += (unknown.empty() ? "" : ",") + name;
  }
  check(unknown.empty(), "The dict provided in model.execute(dict) has keys: [", unknown,
        "] that are not part of graph");
  std::vector<executor::Ref> given;
  std::vector<executor::Ref> wanted;
  for (const std::string& name : inputs) given.push_back(graphdef::find_output(block, name));
  for (const std::string& name : outputs) {
    check(has_node(name.substr(0, name.find(':'))), "The output '", name, "' is not found in the graph");
    wanted.push_back(graphdef::find_output(block, name));
  }
  interruption::append(state_->programs,
                       std::make_unique<executor::Program>(state_->definition, state_->resources,
                                                           std::move(given), std::move(wanted)));
  return static_cast<int>(state_->programs.size()) - 1;
}

Tensors GraphModel::run(int program, std::span<const Tensor> inputs) {
  return state_->program(program).run(inputs);
}

std::unique_ptr<executor::Execution> GraphModel::start(int program, std::span<const Tensor> inputs,
                                                       Tensors& outputs) {
  return state_->program(program).start(inputs, outputs);
}

std::unique_ptr<executor::Execution> GraphModel::start_keeping_values(int program,
                                                                      std::span<const Tensor> inputs) {
  return state_->program(program).start_keeping_values(inputs);
}

std::size_t GraphModel::bytes() const {
  std::vector<const Storage*> held;
  std::size_t bytes = 0;
  for (const auto& program : state_->programs) bytes += program->bytes(held);
  for (const NamedTensor& weight : state_->weights) held.push_back(weight.tensor.storage().get());
  heap_sort(held);
  held.erase(std::unique(held.begin(), held.end()), held.end());
  for (const Storage* storage : held) bytes += storage->resident_bytes();
  return bytes;
}

std::size_t GraphModel::plan_count() const {
  std::size_t count = 0;
  for (const auto& program : state_->programs) count += program->plan_count();
  return count;
}

}  // namespace tenure
