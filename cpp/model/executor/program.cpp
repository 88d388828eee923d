#include "model/executor/program.h"

#include <algorithm>
#include <unordered_set>

#include "core/run/dispatch.h"
#include "core/run/open_tapes.h"
#include "core/run/tape.h"
#include "model/executor/operands.h"
#include "model/executor/variant.h"
#include "model/plan/placement.h"

namespace tenure::executor {
namespace {

constexpr std::size_t kMaxVariants = 8;

/// Number of variants in a row that were each used once, after which a new shape is run without a plan.
constexpr int kMinVariants = 2;

/// Estimated time to trace and to plan a node, in microseconds: 7 to 17 measured.
constexpr double kPlanningMicroseconds = 10;
/// A run of a plan is assumed to save less than a tenth of the time of the run without one.
constexpr double kMinRunToPlanning = 10;

bool matches_specs(std::span<const TensorSpec> specs, std::span<const Tensor> inputs) {
  return std::equal(specs.begin(), specs.end(), inputs.begin(), inputs.end(),
                    [](const TensorSpec& spec, const Tensor& tensor) { return spec == tensor.spec(); });
}

std::vector<TensorSpec> get_specs(std::span<const Tensor> inputs) {
  std::vector<TensorSpec> specs;
  specs.reserve(inputs.size());
  for (const Tensor& input : inputs) specs.push_back(input.spec());
  return specs;
}

Tensor resolve_source(const Source& source, const Tensors& planned, std::span<const Tensor> inputs) {
  switch (source.kind) {
    case Source::kNothing: break;
    case Source::kPlan: return planned[source.index];
    case Source::kInput: return inputs[source.index];
    case Source::kKnown: return source.known;
  }
  return {};
}

bool is_input(const Node& node) {
  return node.role == NodeRole::kInput || node.role == NodeRole::kOptionalInput;
}

/// Throws unless a value is of the container that an input declares.
void check_container(const Node& node, const EdgeValue& value) {
  const std::string_view container = node.attrs.string("container");
  const bool is_optional = container.starts_with("optional");
  const bool takes_sequence = container.ends_with("sequence");
  const auto is = [&](Resource::Kind kind) { return value.object && value.object->kind() == kind; };
  const bool is_sequence = is(Resource::Kind::kSequence);
  const bool is_accepted = value.tensor  ? !takes_sequence
                           : is_sequence ? takes_sequence
                                         : is(Resource::Kind::kAbsent) && is_optional;
  check(is_accepted, "the input \"", node.name, "\" must be ", is_optional ? "an optional " : "a ",
        takes_sequence ? "sequence" : "tensor", ", got ",
        value.tensor  ? "a tensor"
        : is_sequence ? "a sequence"
                      : "an absent value");
}

template <class Names>
std::string join_names(const Names& names) {
  std::string text;
  for (const std::string& name : names) {
    if (!text.empty()) text += ',';
    text += name;
  }
  return text;
}

}  // namespace

Program::Program(const Definition& definition, Resources& resources, std::vector<Ref> inputs,
                 std::vector<Ref> outputs)
    : definition_(definition),
      resources_(resources),
      inputs_(std::move(inputs)),
      outputs_(std::move(outputs)) {
  const Block& block = definition.main;
  std::vector<bool> given(block.nodes.size(), false);
  std::vector<std::string> names;
  for (const Ref& input : inputs_) {
    given[input.node] = true;
    names.push_back(block.nodes[input.node].name);
  }
  schedule_ = block.schedule(outputs_, given);
  std::vector<std::string> missing;
  for (const std::uint32_t i : schedule_.order) {
    if (block.nodes[i].role == NodeRole::kInput && !block.nodes[i].resource)
      missing.push_back(block.nodes[i].name);
  }
  if (!missing.empty()) {
    std::vector<std::string> wanted;
    wanted.reserve(outputs_.size());
    for (const Ref& output : outputs_) wanted.push_back(block.nodes[output.node].name);
    fail("Cannot compute the outputs [", join_names(wanted), "] from the provided inputs [",
         join_names(names), "]. Missing the following inputs: [", join_names(missing), "]");
  }
  validate();
}

Program::~Program() = default;

void Program::validate() const {
  struct ScheduledBlock {
    const Block* block;
    const Schedule* schedule;
  };
  // A worklist instead of recursion: functions in a file may nest to any depth.
  std::vector<ScheduledBlock> open = {{&definition_.main, &schedule_}};
  std::unordered_set<const Function*> known;
  const auto validate_node = [&](const Node& node) {
    if (node.loop) return open.push_back({&node.loop->body.block, &node.loop->body.schedule});
    check(node.row != nullptr || node.is_custom, "the op ", node.op, " is not supported: the node \"",
          node.name, "\" needs it");
    check(node.role != NodeRole::kConstant || node.constant.has_data(), "the node \"", node.name, "\" (",
          node.op, ") has no weight of its name");
    for (const Attributes::Value& attribute : node.attrs.all()) {
      for (const std::string& string : attribute.strings) {
        const auto at = definition_.functions.find(string);
        if (at != definition_.functions.end() && known.insert(&at->second).second)
          open.push_back({&at->second.block, &at->second.schedule});
      }
    }
  };
  while (!open.empty()) {
    const auto [block, schedule] = open.back();
    open.pop_back();
    for (const std::uint32_t i : schedule->order) validate_node(block->nodes[i]);
  }
}

void Program::check_inputs(std::span<const Tensor> inputs) const {
  check(inputs.size() == inputs_.size(), "the model takes ", inputs_.size(), " inputs, got ", inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i)
    check_input(definition_.main.nodes[inputs_[i].node], inputs[i]);
}

void Program::check_input(const Node& node, const Tensor& input) const {
  check(static_cast<bool>(input), "the input \"", node.name, "\" is left out");
  if (!is_input(node)) return;
  const std::optional<Shape> shape = node.attrs.shape("shape");
  const Shape& given = input.shape();
  // As in TensorFlow.js, an empty shape accepts any shape.
  if (shape && !shape->empty()) {
    check_shape(matches(given, *shape), "The shape of dict['", node.name,
                "'] provided in model.execute(dict) must be [", join_dims(*shape), "], but was [",
                join_dims(given), "]");
  }
  const std::optional<DType> dtype = node.attrs.find_dtype("dtype");
  check(!dtype || *dtype == input.dtype(), "The dtype of dict['", node.name,
        "'] provided in model.execute(dict) must be ", get_name(dtype.value_or(DType::kFloat32)),
        ", but was ", get_name(input.dtype()));
}

void Program::check_value(const Node& node, const EdgeValue& value) const {
  if (is_input(node) && !value.is_dead()) check_container(node, value);
  if (!value.object) return check_input(node, value.tensor);
  if (value.object->kind() != Resource::Kind::kSequence) return;
  for (const Tensor& tensor : static_cast<const Sequence&>(*value.object).tensors) check_input(node, tensor);
}

Values Program::begin(const Schedule& schedule, std::span<const Tensor> inputs) const {
  return begin(schedule, to_edge_values(inputs));
}

Values Program::begin(const Schedule& schedule, const EdgeValues& inputs) const {
  Values values(definition_.main, schedule);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    EdgeValues items = values.of(inputs_[i].node);
    items.resize(std::max<std::size_t>(items.size(), inputs_[i].output + 1));
    items[inputs_[i].output] = inputs[i];
    values.set(inputs_[i].node, std::move(items));
  }
  return values;
}

Program::Variant* Program::find_variant(std::span<const Tensor> inputs) {
  const Tensors known = selectors_.read(inputs);
  const auto found = std::find_if(variants_.begin(), variants_.end(), [&](const auto& variant) {
    return matches_specs(variant->specs, inputs) && have_equal_values(variant->known, known);
  });
  if (found == variants_.end()) return nullptr;
  std::rotate(variants_.begin(), found, found + 1);
  return variants_.front().get();
}

std::unique_ptr<Program::Variant> Program::make_variant(std::span<const Tensor> inputs) const {
  auto variant = std::make_unique<Variant>(*this, get_specs(inputs), selectors_.read(inputs));
  variant->first = trace(*variant);
  return variant;
}

std::vector<std::size_t> Program::find_selectors(const Variant& variant) const {
  return Selectors::find(definition_.main, inputs_, variant.specs, variant.deferred.order);
}

void Program::ignore_selectors() {
  selectors_.ignore();
  std::erase_if(variants_, [](const auto& variant) { return !variant->known.empty(); });
}

Program::Variant& Program::add_variant(std::span<const Tensor> inputs) {
  const ScopedMaterialization materialized;
  std::unique_ptr<Variant> variant = make_variant(inputs);
  if (selectors_.is_open()) {
    selectors_.set(find_selectors(*variant));
    if (!selectors_.read(inputs).empty()) variant = make_variant(inputs);
  }
  if (!variant->known.empty() && !find_selectors(*variant).empty()) {
    ignore_selectors();
    if (Variant* general = find_variant(inputs)) return *general;
    variant = make_variant(inputs);
  }
  // A node of the file may become many nodes of the graph.
  const std::size_t nodes = std::max(schedule_.order.size(), variant->first->nodes.size());
  const double planning = kPlanningMicroseconds * static_cast<double>(nodes);
  variant->is_worth_planning = sums_over_filters(*variant->first) ||
                               estimate_cpu_microseconds(*variant->first) > kMinRunToPlanning * planning;
  if (variants_.size() == kMaxVariants) variants_.pop_back();
  variants_.insert(variants_.begin(), std::move(variant));
  return *variants_.front();
}

bool Program::should_run_unplanned(std::span<const Tensor> inputs) {
  const auto was_wasted = [](const auto& variant) {
    return !variant->is_worth_planning && variant->runs == 1;
  };
  if (usable_backend().is_device() || variants_.size() < kMinVariants ||
      !std::all_of(variants_.begin(), variants_.begin() + kMinVariants, was_wasted))
    return false;
  const auto seen = std::find_if(eager_shapes_.begin(), eager_shapes_.end(),
                                 [&](const auto& specs) { return matches_specs(specs, inputs); });
  if (seen != eager_shapes_.end()) {
    eager_shapes_.erase(seen);
    return false;
  }
  std::vector<TensorSpec> specs = get_specs(inputs);
  if (eager_shapes_.size() == kMaxVariants) eager_shapes_.pop_back();
  eager_shapes_.insert(eager_shapes_.begin(), std::move(specs));
  return true;
}

std::unique_ptr<Execution> Program::execute_all(const EdgeValues& inputs, Execution::Mode mode) const {
  return std::unique_ptr<Execution>(
      new Execution(*this, begin(schedule_, inputs), schedule_.order, Tensors(outputs_.size()), mode));
}

std::unique_ptr<Execution> Program::start_with_containers(const EdgeValues& inputs) {
  check(inputs.size() == inputs_.size(), "the model takes ", inputs_.size(), " inputs, got ", inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i)
    check_value(definition_.main.nodes[inputs_[i].node], inputs[i]);
  return execute_all(inputs, open_tapes().recording ? Execution::kRecords : Execution::kPlain);
}

std::unique_ptr<Execution> Program::start(std::span<const Tensor> inputs, Tensors& outputs) {
  if (!has_plans_) return start_with_containers(to_edge_values(inputs));
  // Tapes must record the ops one by one, so the plan is not used.
  if (open_tapes().recording && recorded(Inputs(TensorList(inputs)))) {
    check_inputs(inputs);
    return execute_all(to_edge_values(inputs), Execution::kRecords);
  }
  const TapePause no_tape;
  Variant* known = find_variant(inputs);
  if (!known) {
    check_inputs(inputs);
    if (!selectors_.record(inputs)) {
      ignore_selectors();
      known = find_variant(inputs);
    }
    if (!known && should_run_unplanned(inputs)) return execute_all(to_edge_values(inputs), Execution::kPlain);
  }
  Variant& variant = known ? *known : add_variant(inputs);
  ++variant.runs;
  const Tensors planned = variant.planned > 0 ? variant.session.run(inputs) : Tensors();
  outputs.clear();
  for (const Source& source : variant.outputs) outputs.push_back(resolve_source(source, planned, inputs));
  if (variant.deferred.order.empty()) return nullptr;
  Values values(definition_.main, variant.deferred);
  for (const DeferredInput& given : variant.given) {
    EdgeValues items;
    for (const Source& source : given.outputs) items.emplace_back(resolve_source(source, planned, inputs));
    values.set(given.node, std::move(items));
  }
  return std::unique_ptr<Execution>(
      new Execution(*this, std::move(values), variant.deferred.order, std::move(outputs), Execution::kPlain));
}

Schedule Program::keep_all_schedule() const {
  Schedule kept = schedule_;
  for (std::uint32_t& readers : kept.readers) ++readers;
  return kept;
}

std::unique_ptr<Execution> Program::start_keeping_values(std::span<const Tensor> inputs) {
  check_inputs(inputs);
  return std::unique_ptr<Execution>(new Execution(*this, begin(keep_all_schedule(), inputs), schedule_.order,
                                                  Tensors(outputs_.size()), Execution::kKeeps));
}

Tensors Program::run(std::span<const Tensor> inputs) {
  Tensors outputs;
  const std::unique_ptr<Execution> execution = start(inputs, outputs);
  if (!execution) return outputs;
  if (execution->advance())
    fail("the op ", execution->waiting().op, " of the node \"", execution->waiting().name,
         "\" is not the engine's");
  return execution->finish();
}

std::optional<Tensors> Program::make_example() const {
  if (!has_plans_) return std::nullopt;
  Tensors example;
  example.reserve(inputs_.size());
  for (const Ref& input : inputs_) {
    const Attributes& attrs = definition_.main.nodes[input.node].attrs;
    std::optional<Shape> shape = attrs.shape("shape");
    if (!shape) return std::nullopt;
    if (shape->rank > 0 && (*shape)[0] < 0) (*shape)[0] = 1;
    if (std::ranges::any_of(*shape, [](std::int32_t extent) { return extent < 0; })) return std::nullopt;
    shape->validate();
    example.push_back(Tensor::deferred({*shape, attrs.find_dtype("dtype").value_or(DType::kFloat32)}));
  }
  return example;
}

void Program::prelink(std::span<const Tensor> inputs) {
  const TapePause no_tape;
  Variant* variant = find_variant(inputs);
  if (!variant) {
    check_inputs(inputs);
    variant = &add_variant(inputs);
  }
  if (variant->planned > 0) variant->session.prelink(inputs);
}

std::size_t Program::plan_count() const {
  std::size_t count = 0;
  for (const auto& variant : variants_) count += variant->session.plan_count();
  return count;
}

std::size_t Program::bytes(std::vector<const Storage*>& constants) const {
  std::size_t bytes = 0;
  for (const auto& variant : variants_) bytes += variant->session.bytes(constants);
  return bytes;
}

}  // namespace tenure::executor
