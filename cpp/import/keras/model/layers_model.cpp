#include "import/keras/model/layers_model.h"

#include <algorithm>
#include <optional>

#include "core/error.h"
#include "core/heap_sort.h"
#include "core/memory/memory_tracked.h"
#include "core/run/dispatch.h"
#include "core/run/tape.h"
#include "core/run/tracer.h"
#include "import/keras/assign_weights.h"
#include "import/keras/model/input_check.h"
#include "import/keras/summary.h"
#include "model/files/json.h"
#include "model/graph/tracer.h"
#include "model/passes/passes.h"
#include "model/plan/session.h"
#include "ops/ops.h"

namespace tenure {
namespace {

/// Returns the topology in a model.json, under any of its wrapper keys. Throws for a graph model or without a
/// class_name.
const Json& find_topology(const Json& json) {
  const Json* topology = &json;
  for (const std::string_view wrapper : {"modelTopology", "model_config"}) {
    if (const Json* inner = topology->find(wrapper)) topology = inner;
  }
  check(!topology->find("node") && !topology->find("library"),
        "the file is a graph model, not a layers model: loadLayersModel reads Keras models only");
  check(topology->find("class_name"), "the model's topology has no class_name: is it a layers model?");
  return *topology;
}

std::vector<NamedTensor> read_weights(const Json& model, std::string_view specs_json,
                                      const WeightData& data) {
  const Json separate = specs_json.empty() ? Json() : Json::parse(specs_json, "the weights manifest");
  const Json* manifest = specs_json.empty() ? model.find("weightsManifest") : &separate;
  if (!manifest) return {};
  const std::vector<WeightSpec> specs = parse_weight_specs(*manifest);
  std::vector<NamedTensor> tensors = decode_weights(specs, data);
  std::vector<NamedTensor> model_weights;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    if (!specs[i].is_optimizer_state) model_weights.push_back(std::move(tensors[i]));
  }
  return model_weights;
}

/// Number of predictions that run eagerly after a change of the weights: while weights keep changing, a plan
/// does not pay off.
constexpr int kEagerRuns = 2;

}  // namespace

struct LayersModel::Impl final : MemoryTracked {
  std::shared_ptr<keras::Network> network;
  std::vector<keras::Specs> specs;  ///< output specs of each call of a layer
  std::vector<ModelPort> inputs;
  std::vector<ModelPort> outputs;
  int eager_runs_left = 0;
  Session session{[this](std::span<const TensorSpec> specs) { return make_graph(specs); }};

  explicit Impl(std::shared_ptr<keras::Network> model);
  ~Impl() override { unlist(); }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  void add_to(MemoryReport& report) const override;
  Graph make_graph(std::span<const TensorSpec> specs);
  /// Returns symbolic inputs for a batch of one; nothing if other extents are unknown, or if the model must
  /// run eagerly.
  std::optional<Tensors> make_example() const;
  std::vector<keras::NamedWeight> named_weights() const;
};

LayersModel::Impl::Impl(std::shared_ptr<keras::Network> model) : network(std::move(model)) {
  keras::Specs given;
  for (const keras::NetworkInput& input : network->inputs()) {
    inputs.push_back({input.name, input.shape, input.dtype});
    given.push_back({input.shape, input.dtype});
  }
  keras::CallBudget budget;
  specs = network->declare_all(given, budget);
  for (const keras::NetworkOutput& output : network->outputs()) {
    const auto& call_specs = specs[static_cast<std::size_t>(output.from.call)];
    check(static_cast<std::size_t>(output.from.tensor) < call_specs.size(), "the model reads output ",
          output.from.tensor, " of layer \"", output.name, "\", which has ", call_specs.size());
    const TensorSpec& spec = call_specs[static_cast<std::size_t>(output.from.tensor)];
    outputs.push_back({output.name, spec.shape, spec.dtype});
  }
}

std::optional<Tensors> LayersModel::Impl::make_example() const {
  if (network->must_run_eagerly()) return std::nullopt;
  Tensors example;
  for (const ModelPort& input : inputs) {
    TensorSpec spec = {input.shape, input.dtype};
    if (spec.shape.rank > 0 && spec.shape[0] < 0) spec.shape[0] = 1;
    if (std::ranges::any_of(spec.shape, [](std::int32_t extent) { return extent < 0; })) return std::nullopt;
    spec.shape.validate();
    example.push_back(Tensor::symbolic(spec, next_trace_id()));
  }
  return example;
}

Graph LayersModel::Impl::make_graph(std::span<const TensorSpec> specs) {
  check_inputs(specs, inputs);
  // Constants that exist only on a device would be lost with it.
  const BackendGuard on_cpu(cpu_backend());
  GraphTracer tracer;
  const TraceGuard trace(&tracer);
  const TapePause no_tape;
  Tensors feeds;
  for (std::size_t i = 0; i < specs.size(); ++i)
    feeds.push_back(adapt_input(tracer.add_input(specs[i]), inputs[i]));
  keras::CallBudget budget;
  const Tensors results = (*network)({feeds, {}, {budget, &tracer}}).outputs;
  Graph graph = std::move(tracer).finish(results);
  passes::optimize(graph);
  return graph;
}

void LayersModel::Impl::add_to(MemoryReport& report) const {
  for (const keras::NamedWeight& weight : named_weights()) {
    if (weight.weight->value.has_data())
      report.add(MemoryPart::kWeights, weight.weight->value.storage().get());
  }
}

std::vector<keras::NamedWeight> LayersModel::Impl::named_weights() const {
  std::vector<keras::NamedWeight> all;
  network->collect_weights("", true, all);
  std::vector<keras::NamedWeight> sorted;
  for (const bool trainable : {true, false}) {
    std::copy_if(all.begin(), all.end(), std::back_inserter(sorted),
                 [=](const auto& weight) { return weight.trainable == trainable; });
  }
  return sorted;
}

LayersModel::LayersModel(std::unique_ptr<Impl> state) : impl_(std::move(state)) {}
LayersModel::LayersModel(LayersModel&&) noexcept = default;
LayersModel& LayersModel::operator=(LayersModel&&) noexcept = default;
LayersModel::~LayersModel() = default;

LayersModel LayersModel::load(std::string_view model_json, std::string_view weight_specs_json,
                              const WeightData& weight_data, bool strict) {
  const TapePause no_tape;
  const Json json = Json::parse(model_json, "the model");
  LayersModel model = of(std::make_shared<keras::Network>(find_topology(json)));
  keras::assign_weights(*model.network(), read_weights(json, weight_specs_json, weight_data), strict);
  return model;
}

LayersModel LayersModel::of(std::shared_ptr<keras::Network> network) {
  return LayersModel(std::make_unique<Impl>(std::move(network)));
}

Tensors LayersModel::predict(std::span<const Tensor> inputs) {
  const TapePause no_tape;
  if (impl_->network->must_run_eagerly()) return run(inputs, false);
  if (impl_->eager_runs_left > 0) {
    --impl_->eager_runs_left;
    return run(inputs, false);
  }
  return impl_->session.run(inputs);
}

Tensors LayersModel::predict(std::span<const NamedInput> inputs) {
  return predict(order_inputs(inputs, impl_->inputs));
}

Tensors LayersModel::run(std::span<const Tensor> inputs, bool training) {
  std::vector<TensorSpec> specs;
  for (const Tensor& input : inputs) specs.push_back(input.spec());
  check_inputs(specs, impl_->inputs);
  Tensors feeds;
  for (std::size_t i = 0; i < inputs.size(); ++i) feeds.push_back(adapt_input(inputs[i], impl_->inputs[i]));
  keras::CallBudget budget;
  Tensors outputs = (*impl_->network)({feeds, {}, {budget, nullptr, training}}).outputs;
  return outputs;
}

void LayersModel::prepare() {
  const auto is_packed = [](const keras::NamedWeight& named) {
    const StoragePtr& storage = named.weight->value.storage();
    return storage && storage->is_packed();
  };
  // Weights that a file stores in fewer bits stay packed until they are used.
  if (std::ranges::any_of(impl_->named_weights(), is_packed)) return;
  const TapePause no_tape;
  if (const auto example = impl_->make_example()) impl_->session.prepare(*example);
}

void LayersModel::prelink() {
  const TapePause no_tape;
  if (const auto example = impl_->make_example()) impl_->session.prelink(*example);
}

void LayersModel::invalidate_plans() {
  impl_->session.trim();
  impl_->eager_runs_left = kEagerRuns;
}

const std::shared_ptr<keras::Network>& LayersModel::network() const { return impl_->network; }
const std::string& LayersModel::name() const { return impl_->network->name(); }
std::span<const ModelPort> LayersModel::inputs() const { return impl_->inputs; }
std::span<const ModelPort> LayersModel::outputs() const { return impl_->outputs; }
std::vector<LayerInfo> LayersModel::layers() const {
  return keras::describe_layers(*impl_->network, impl_->specs);
}

std::vector<WeightInfo> LayersModel::weights() const {
  std::vector<WeightInfo> infos;
  for (const auto& [name, weight, trainable] : impl_->named_weights())
    infos.push_back({name, weight->value, trainable});
  return infos;
}

std::string LayersModel::summary(int line_length) const {
  return keras::summarize(*impl_->network, impl_->specs, line_length);
}

std::size_t LayersModel::bytes() const {
  std::vector<const Storage*> held;
  std::size_t bytes = impl_->session.bytes(held);
  for (const keras::NamedWeight& weight : impl_->named_weights())
    held.push_back(weight.weight->value.storage().get());
  heap_sort(held);
  held.erase(std::unique(held.begin(), held.end()), held.end());
  for (const Storage* storage : held) bytes += storage->resident_bytes();
  return bytes;
}

std::size_t LayersModel::plan_count() const { return impl_->session.plan_count(); }

}  // namespace tenure
