#include "model/executor/program.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "core/run/dispatch.h"
#include "core/run/open_tapes.h"
#include "core/run/tape.h"
#include "core/run/tracer.h"
#include "model/graph/tracer.h"
#include "model/passes/passes.h"

namespace tenure::executor {
namespace {

constexpr std::size_t kMaxVariants = 8;

/// The source of a value at run time: an output of the plan, an input, or a constant.
struct Source {
  enum Kind : std::uint8_t { kNothing, kPlan, kInput, kKnown };
  Kind kind = kNothing;
  std::size_t index = 0;
  Tensor known;
};

Tensor resolve_source(const Source& source, const Tensors& planned, std::span<const Tensor> inputs) {
  switch (source.kind) {
    case Source::kNothing: break;
    case Source::kPlan: return planned[source.index];
    case Source::kInput: return inputs[source.index];
    case Source::kKnown: return source.known;
  }
  return {};
}

/// The sources of a traced node's outputs, for the deferred nodes that read it.
struct DeferredInput {
  std::uint32_t node;
  std::vector<Source> outputs;
};

/// The numbered list of the tensors that a plan must return.
class PlanOutputs {
 public:
  explicit PlanOutputs(std::span<const Tensor> inputs) : inputs_(inputs) {
    for (std::size_t i = 0; i < inputs.size(); ++i) at(inputs[i]).push_back({true, i});
  }

  Source of(const EdgeValue& item) {
    if (item.is_dead()) return {};
    if (item.tensor.has_data()) return {Source::kKnown, 0, item.tensor};
    std::vector<Location>& known = at(item.tensor);
    for (const auto [is_input, i] : known) {
      if ((is_input ? inputs_[i] : planned_[i]).spec() != item.tensor.spec()) continue;
      return {is_input ? Source::kInput : Source::kPlan, i, {}};
    }
    known.push_back({false, planned_.size()});
    planned_.push_back(item.tensor);
    return {Source::kPlan, planned_.size() - 1, {}};
  }
  const Tensors& planned() const { return planned_; }

 private:
  struct Location {
    bool is_input;
    std::size_t number;
  };
  /// Returns the sources of a value. It has several if there are views of it with other specs.
  std::vector<Location>& at(const Tensor& tensor) { return locations_[tensor.value()]; }
  std::span<const Tensor> inputs_;
  Tensors planned_;
  // By the values' numbers, which count all values of the process.
  std::unordered_map<TraceId, std::vector<Location>> locations_;
};

template <class Names>
std::string join_names(const Names& names) {
  std::string text;
  for (const std::string& name : names) {
    if (!text.empty()) text += ',';
    text += name;
  }
  return text;
}

/// Calls `visit` for each node whose outputs or end a node waits for.
template <class F>
void for_each_input(const Node& node, const F& visit) {
  for (const Ref& input : node.inputs) {
    if (!input.is_absent()) visit(input.node);
  }
  for (const std::uint32_t control : node.controls) visit(control);
}

}  // namespace

struct Program::Variant {
  Variant(const Program& program, std::vector<TensorSpec> input_specs)
      : specs(std::move(input_specs)), session([this, &program](std::span<const TensorSpec>) {
          if (first) {
            Graph graph = std::move(*first);
            first.reset();
            return graph;
          }
          return program.trace(*this);
        }) {}

  std::vector<TensorSpec> specs;
  std::size_t planned = 0;  ///< number of outputs of the plan
  std::vector<DeferredInput> given;
  Schedule deferred;
  std::vector<Source> outputs;  ///< of the program; kNothing for those of deferred nodes
  std::optional<Graph> first;   ///< from the first trace; consumed by the first plan
  Session session;
};

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
  struct Part {
    const Block* block;
    const Schedule* schedule;
  };
  // A worklist instead of recursion: functions in a file may nest to any depth.
  std::vector<Part> open = {{&definition_.main, &schedule_}};
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
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Node& node = definition_.main.nodes[inputs_[i].node];
    if (node.role != NodeRole::kInput && node.role != NodeRole::kOptionalInput) continue;
    const std::optional<Shape> shape = node.attrs.shape("shape");
    const Shape& given = inputs[i].shape();
    // As in TensorFlow.js, an empty shape accepts any shape.
    if (shape && !shape->empty()) {
      check_shape(matches(given, *shape), "The shape of dict['", node.name,
                  "'] provided in model.execute(dict) must be [", join_dims(*shape), "], but was [",
                  join_dims(given), "]");
    }
    const std::optional<DType> dtype = node.attrs.find_dtype("dtype");
    check(!dtype || *dtype == inputs[i].dtype(), "The dtype of dict['", node.name,
          "'] provided in model.execute(dict) must be ", name_of(dtype.value_or(DType::kFloat32)),
          ", but was ", name_of(inputs[i].dtype()));
  }
}

Values Program::begin(const Schedule& schedule, std::span<const Tensor> inputs) const {
  Values values(definition_.main, schedule);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    EdgeValues items = values.of(inputs_[i].node);
    items.resize(std::max<std::size_t>(items.size(), inputs_[i].output + 1));
    items[inputs_[i].output] = inputs[i];
    values.set(inputs_[i].node, std::move(items));
  }
  return values;
}

/// Traces a node. Returns false if it needs values that are only known at run time.
[[gnu::noinline]] bool Program::trace_node(std::uint32_t node, Values& values) const {
  try {
    Executor(definition_, resources_, values, std::span(&node, 1), true).advance();
    return true;
  } catch (const NeedsValues&) {
    return false;
  }
}

/// A trace of the nodes of a block: their values, and the nodes that run after the plan.
class Program::Tracing {
 public:
  /// `forced` are the nodes that must be deferred.
  Tracing(const Program& program, Variant& variant, std::vector<bool>& forced, Values values)
      : program_(program),
        block_(program.definition_.main),
        variant_(variant),
        forced_(forced),
        is_deferred_(block_.nodes.size(), false),
        values_(std::move(values)) {
    variant_.deferred = {{}, std::vector<std::uint32_t>(block_.nodes.size(), 0)};
  }

  void trace_nodes(GraphTracer& tracer);
  bool force_producers_of_objects();
  void list_sources(PlanOutputs& sources);

 private:
  const Program& program_;
  const Block& block_;
  Variant& variant_;
  std::vector<bool>& forced_;
  std::vector<bool> is_deferred_;
  Values values_;
};

/// Traces the nodes in order. Defers those that need values, and those that follow from them.
void Program::Tracing::trace_nodes(GraphTracer& tracer) {
  for (const std::uint32_t i : program_.schedule_.order) {
    bool defer = forced_[i];
    for_each_input(block_.nodes[i], [&](std::uint32_t input) { defer = defer || is_deferred_[input]; });
    if (!defer) {
      tracer.set_layer(block_.nodes[i].name);
      defer = !program_.trace_node(i, values_);
    }
    if (!defer) continue;
    is_deferred_[i] = true;
    variant_.deferred.order.push_back(i);
  }
}

/// Objects that traced nodes have changed do not exist at run time. If a deferred node reads one, forces the
/// traced nodes that it comes from to be deferred too. Returns true if there are any.
bool Program::Tracing::force_producers_of_objects() {
  bool has_forced = false;
  const auto has_object = [&](std::uint32_t node) {
    const auto& items = values_.of(node);
    return std::any_of(items.begin(), items.end(),
                       [](const EdgeValue& item) { return item.object != nullptr; });
  };
  std::vector<std::uint32_t> open = variant_.deferred.order;
  for (std::size_t k = 0; k < open.size(); ++k) {
    for_each_input(block_.nodes[open[k]], [&](std::uint32_t input) {
      if (is_deferred_[input] || forced_[input] || !has_object(input)) return;
      has_forced = forced_[input] = true;
      open.push_back(input);
    });
  }
  return has_forced;
}

/// Lists the sources of what the deferred nodes read, and of the outputs.
void Program::Tracing::list_sources(PlanOutputs& sources) {
  variant_.given.clear();
  std::vector<bool> is_given(block_.nodes.size(), false);
  for (const std::uint32_t i : variant_.deferred.order) {
    for_each_input(block_.nodes[i], [&](std::uint32_t input) {
      ++variant_.deferred.readers[input];
      if (is_deferred_[input] || is_given[input]) return;
      is_given[input] = true;
      variant_.given.push_back({input, {}});
      for (const EdgeValue& item : values_.of(input))
        variant_.given.back().outputs.push_back(sources.of(item));
    });
  }
  variant_.outputs.clear();
  for (const Ref& output : program_.outputs_) {
    if (is_deferred_[output.node]) {
      ++variant_.deferred.readers[output.node];
      variant_.outputs.emplace_back();
      continue;
    }
    const EdgeValue item = values_.take(output);
    check(item.tensor || item.object == nullptr, "the output \"", block_.nodes[output.node].name,
          "\" is no tensor");
    check(!item.is_dead(), "the output \"", block_.nodes[output.node].name,
          "\" belongs to a branch that is not taken");
    variant_.outputs.push_back(sources.of(item));
  }
}

bool Program::try_trace(Variant& variant, std::vector<bool>& forced, std::optional<Graph>& graph) const {
  // Folded constants are computed on the CPU, because a lost device would lose them.
  const BackendGuard on_cpu(cpu_backend());
  GraphTracer tracer;
  const TraceGuard guard(&tracer);
  const TapePause no_tape;
  Tensors symbols;
  for (const TensorSpec& spec : variant.specs) symbols.push_back(tracer.add_input(spec));
  Tracing tracing(*this, variant, forced, begin(keep_all_schedule(), symbols));
  tracing.trace_nodes(tracer);
  if (tracing.force_producers_of_objects()) return false;
  PlanOutputs sources(symbols);
  tracing.list_sources(sources);
  variant.planned = sources.planned().size();
  graph = std::move(tracer).finish(sources.planned());
  return true;
}

Graph Program::trace(Variant& variant) const {
  std::vector<bool> forced(definition_.main.nodes.size(), false);
  std::optional<Graph> graph;
  while (!try_trace(variant, forced, graph)) {
  }
  graph->layer_kind = "in the node";
  passes::optimize(*graph);
  return std::move(*graph);
}

Program::Variant& Program::get_variant(std::span<const Tensor> inputs) {
  const auto matches = [&](const std::unique_ptr<Variant>& variant) {
    return std::equal(variant->specs.begin(), variant->specs.end(), inputs.begin(), inputs.end(),
                      [](const TensorSpec& spec, const Tensor& tensor) { return spec == tensor.spec(); });
  };
  const auto found = std::find_if(variants_.begin(), variants_.end(), matches);
  if (found == variants_.end()) {
    check_inputs(inputs);
    const ScopedMaterialization brief;
    std::vector<TensorSpec> specs;
    for (const Tensor& input : inputs) specs.push_back(input.spec());
    auto variant = std::make_unique<Variant>(*this, std::move(specs));
    variant->first = trace(*variant);
    if (variants_.size() == kMaxVariants) variants_.pop_back();
    variants_.insert(variants_.begin(), std::move(variant));
  } else {
    std::rotate(variants_.begin(), found, found + 1);
  }
  return *variants_.front();
}

std::unique_ptr<Execution> Program::start(std::span<const Tensor> inputs, Tensors& outputs) {
  // Tapes must record the ops one by one, so the plan is not used.
  if (open_tapes().recording && recorded(Inputs(TensorList(inputs)))) {
    check_inputs(inputs);
    return std::unique_ptr<Execution>(new Execution(*this, begin(schedule_, inputs), schedule_.order,
                                                    Tensors(outputs_.size()), Execution::kRecords));
  }
  const TapePause no_tape;
  Variant& variant = get_variant(inputs);
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
