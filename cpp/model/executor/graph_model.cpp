#include "model/executor/graph_model.h"

#include <algorithm>

#include "core/heap_sort.h"
#include "core/interruption.h"
#include "core/memory/memory_tracked.h"
#include "core/run/tape.h"
#include "model/executor/program.h"

namespace tenure {

struct GraphModel::State final : MemoryTracked {
  std::vector<NamedTensor> weights;
  executor::Definition definition;
  std::vector<GraphPort> outputs;
  executor::Resources resources;
  std::vector<std::unique_ptr<executor::Program>> programs;

  State(std::vector<NamedTensor> adopted, executor::Definition graph, std::vector<GraphPort> ports)
      : weights(std::move(adopted)), definition(std::move(graph)), outputs(std::move(ports)) {}
  ~State() override { unlist(); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  executor::Program& program(int number) const {
    check(number >= 0 && static_cast<std::size_t>(number) < programs.size(), "no program has the number ",
          number);
    return *programs[static_cast<std::size_t>(number)];
  }
  void add_to(MemoryReport& report) const override {
    for (const NamedTensor& weight : weights) report.add(MemoryPart::kWeights, weight.tensor.storage().get());
  }
};

GraphModel::GraphModel(std::vector<NamedTensor> weights, executor::Definition definition,
                       std::vector<GraphPort> outputs)
    : state_(std::make_unique<State>(std::move(weights), std::move(definition), std::move(outputs))) {}
GraphModel::GraphModel(GraphModel&&) noexcept = default;
GraphModel& GraphModel::operator=(GraphModel&&) noexcept = default;
GraphModel::~GraphModel() = default;

void GraphModel::initialize(const executor::Definition& initializer,
                            std::span<const std::pair<std::string, std::string>> captures) {
  const TapePause no_tape;
  const executor::InitializerRun run(initializer, state_->resources);
  executor::Block& block = state_->definition.main;
  for (const auto& [input, output] : captures)
    block.nodes[block.find(input).node].resource = run.output(initializer.main.find(output)).object;
}

std::vector<GraphPort> GraphModel::inputs() const {
  std::vector<GraphPort> inputs;
  for (const executor::Node& node : state_->definition.main.nodes) {
    if (node.role != executor::NodeRole::kInput && node.role != executor::NodeRole::kOptionalInput) continue;
    const std::span<const std::string> symbols = node.attrs.strings("symbols");
    inputs.push_back({node.name,
                      node.attrs.shape("shape"),
                      node.attrs.find_dtype("dtype"),
                      std::string(node.attrs.string("type")),
                      {symbols.begin(), symbols.end()},
                      std::string(node.attrs.string("container"))});
  }
  return inputs;
}

const std::vector<GraphPort>& GraphModel::outputs() const { return state_->outputs; }

std::vector<std::string> GraphModel::leaves() const {
  std::vector<std::string> names;
  for (const executor::Ref& leaf : state_->definition.main.leaves())
    names.push_back(state_->definition.main.nodes[leaf.node].name);
  return names;
}

const std::vector<NamedTensor>& GraphModel::weights() const { return state_->weights; }

int GraphModel::compile(std::span<const std::string> inputs, std::span<const std::string> outputs) {
  const executor::Block& block = state_->definition.main;
  std::string unknown;
  for (const std::string& name : inputs) {
    if (!block.has(name)) unknown += (unknown.empty() ? "" : ",") + name;
  }
  check(unknown.empty(), "The dict provided in model.execute(dict) has keys: [", unknown,
        "] that are not part of graph");
  std::vector<executor::Ref> given;
  std::vector<executor::Ref> wanted;
  for (const std::string& name : inputs) given.push_back(block.find(name));
  for (const std::string& name : outputs) {
    check(block.has(name), "The output '", name, "' is not found in the graph");
    wanted.push_back(block.find(name));
  }
  const auto is_container = [&](const executor::Ref& input) {
    return block.nodes[input.node].attrs.has("container");
  };
  bool has_containers = std::any_of(given.begin(), given.end(), is_container);
  for (const GraphPort& port : state_->outputs) {
    const bool is_wanted = std::find(outputs.begin(), outputs.end(), port.name) != outputs.end();
    has_containers = has_containers || (is_wanted && !port.container.empty());
  }
  auto compiled = std::make_unique<executor::Program>(state_->definition, state_->resources, std::move(given),
                                                      std::move(wanted));
  if (has_containers) compiled->disable_plans();
  interruption::append(state_->programs, std::move(compiled));
  return static_cast<int>(state_->programs.size()) - 1;
}

Tensors GraphModel::run(int program, std::span<const Tensor> inputs) {
  return state_->program(program).run(inputs);
}

std::unique_ptr<executor::Execution> GraphModel::start(int program, std::span<const Tensor> inputs,
                                                       Tensors& outputs) {
  return state_->program(program).start(inputs, outputs);
}

std::unique_ptr<executor::Execution> GraphModel::start_with_containers(int program,
                                                                       const executor::FlatValues& inputs) {
  return state_->program(program).start_with_containers(inputs.unflatten());
}

std::unique_ptr<executor::Execution> GraphModel::start_keeping_values(int program,
                                                                      std::span<const Tensor> inputs) {
  return state_->program(program).start_keeping_values(inputs);
}

void GraphModel::prelink(int program) {
  executor::Program& compiled = state_->program(program);
  if (const auto example = compiled.make_example()) compiled.prelink(*example);
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
