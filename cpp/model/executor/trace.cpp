// Tracing of a program's nodes into the graph of a plan.

#include <algorithm>
#include <unordered_map>

#include "core/run/dispatch.h"
#include "core/run/tape.h"
#include "core/run/tracer.h"
#include "model/executor/variant.h"
#include "model/graph/tracer.h"
#include "model/passes/passes.h"

namespace tenure::executor {
namespace {

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

/// Calls `visit` for each node whose outputs or end a node waits for.
template <class F>
void for_each_input(const Node& node, const F& visit) {
  for (const Ref& input : node.inputs) {
    if (!input.is_absent()) visit(input.node);
  }
  for (const std::uint32_t control : node.controls) visit(control);
}

}  // namespace

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
          "\" is not a tensor");
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
  Tensors given = symbols;
  for (std::size_t i = 0; i < variant.known.size(); ++i) given[selectors_.input(i)] = variant.known[i];
  Tracing tracing(*this, variant, forced, begin(keep_all_schedule(), given));
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

}  // namespace tenure::executor
