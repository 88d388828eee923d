// The raw calls for graph models, which JavaScript refers to by numbers.

#include <optional>

#include "import/graphdef/load.h"
#include "model/files/json.h"
#include "wasm/adopt_weights.h"
#include "wasm/call.h"
#include "wasm/graph_entries.h"
#include "wasm/json_text.h"

namespace tenure::wasm {
namespace {

NumberTable<std::unique_ptr<GraphModelEntry>>& graphs() {
  static NumberTable<std::unique_ptr<GraphModelEntry>> instance;
  return instance;
}

GraphModelEntry& get_graph(int number) {
  const auto* graph = graphs().find(number);
  check(graph != nullptr, "the model is already disposed");
  return **graph;
}

executor::Execution& get_waiting(GraphModelEntry& graph, int run) {
  const auto* waiting = graph.waiting().find(run);
  check(waiting != nullptr, "the run has ended");
  return **waiting;
}

/// Resumes a run. Returns the number of its outputs, which are described in the scratch, or nothing if it
/// waits for a custom op.
std::optional<int> advance(GraphModelEntry& graph, executor::Execution& run) {
  if (run.advance()) return {};
  Tensors outputs = run.finish();
  std::vector<executor::NodeTensors> kept = run.kept();
  const int count = export_results(std::move(outputs));
  // Swapped, as an assigned vector destroys its elements before it drops them.
  std::swap(graph.kept(), kept);
  return count;
}

std::string json_port(const GraphPort& port) {
  return json_object({{"name", json_string(port.name)},
                      {"shape", port.shape ? json_shape(*port.shape) : "null"},
                      {"dtype", port.dtype ? json_dtype(*port.dtype) : "null"},
                      {"type", json_string(port.type)},
                      {"symbols", json_list(port.symbols, json_string)},
                      {"container", json_string(port.container)}});
}

std::vector<std::string> get_strings(const Json& list) {
  std::vector<std::string> words;
  for (const Json& word : list.items()) words.push_back(word.string());
  return words;
}

}  // namespace

GraphModelEntry::GraphModelEntry(GraphModel model, std::vector<std::string> custom_ops, std::string file)
    : model_(std::move(model)), custom_ops_(std::move(custom_ops)), file_(std::move(file)) {
  // If the constructor threw half-way, the handles created so far would leak.
  handles_.reserve(model_.weights().size());
  ownership().reserve(model_.weights().size());
  for (const NamedTensor& weight : model_.weights())
    handles_.push_back(ownership().add_retained(weight.tensor));
}

GraphModelEntry::~GraphModelEntry() {
  for (const Handle handle : handles_) ownership().dispose(handle);
}

int add_graph(std::unique_ptr<GraphModelEntry> graph) { return graphs().add(std::move(graph)); }

/// Loads a model. `weights` is a block of `bytes` bytes, which the engine takes ownership of. At `text` are
/// three JSON texts in sequence, `topology`, `specs` and `custom` bytes long: the topology, the
/// specifications of the weights, and the names of custom ops. Returns the model's number.
TENURE_CALL int tn_graph_load(std::uintptr_t weights, std::size_t bytes, std::uintptr_t text,
                              std::size_t topology, std::size_t specs, std::size_t custom) {
  return guarded([&] {
    const WeightData data = adopt_weights(weights, bytes);
    const auto* words = reinterpret_cast<const char*>(text);
    std::vector<std::string> custom_ops =
        get_strings(Json::parse({words + topology + specs, custom}, "the registered ops"));
    GraphModel model = graphdef::load_model({words, topology}, {words + topology, specs}, data, custom_ops);
    return add_graph(std::make_unique<GraphModelEntry>(std::move(model), std::move(custom_ops)));
  });
}

/// Runs the graph that initializes the model's tables. At `address` are its JSON, `topology` bytes long, and
/// then that of the captures, `captures` bytes long: [placeholder, name of the initializer's output] each.
TENURE_CALL int tn_graph_initialize(int number, std::uintptr_t address, std::size_t topology,
                                    std::size_t captures) {
  return guarded([&] {
    const auto* words = reinterpret_cast<const char*>(address);
    const Json parsed = Json::parse({words + topology, captures}, "the captures");
    std::vector<std::pair<std::string, std::string>> pairs;
    for (const Json& pair : parsed.items())
      pairs.emplace_back(pair.items().at(0).string(), pair.items().at(1).string());
    GraphModelEntry& graph = get_graph(number);
    graphdef::initialize(graph.model(), {words, topology}, pairs, graph.custom_ops());
    return 0;
  });
}

/// Returns JSON in last_error(): inputs, outputs, leaves, weights, and what the importer says of the file.
TENURE_CALL int tn_graph_describe(int number) {
  return return_json([&] {
    GraphModelEntry& graph = get_graph(number);
    std::size_t i = 0;
    return json_object(
        {{"inputs", json_list(graph.model().inputs(), json_port)},
         {"outputs", json_list(graph.model().outputs(), json_port)},
         // Importers of other formats say what the outputs are.
         {"leaves", graph.file() == "null" ? json_list(graph.model().leaves(), json_string) : "[]"},
         {"file", graph.file()},
         {"weights", json_list(graph.model().weights(), [&](const NamedTensor& weight) {
            return text("{\"id\":", graph.handles()[i++], ",\"name\":", json_string(weight.name),
                        ",\"shape\":", json_shape(weight.tensor.shape()),
                        ",\"dtype\":", json_dtype(weight.tensor.dtype()), "}");
          })}});
  });
}

/// Compiles a program. At `address` is JSON: [names of inputs, names of outputs]. Returns the number of the
/// program that computes the outputs from the inputs.
TENURE_CALL int tn_graph_compile(int number, std::uintptr_t address, std::size_t bytes) {
  return guarded([&] {
    const Json names = Json::parse({reinterpret_cast<const char*>(address), bytes}, "the names");
    return get_graph(number).model().compile(get_strings(names.items().at(0)),
                                             get_strings(names.items().at(1)));
  });
}

/// Makes a program's plan for a batch of one, and starts to compile the device's programs for it.
TENURE_CALL int tn_graph_prelink(int number, int program) {
  return guarded([&] {
    get_graph(number).model().prelink(program);
    return 0;
  });
}

/// Runs a program. The inputs' ids are in the scratch, in the program's order. Returns the number of outputs,
/// which are described in the scratch, or -2 - n if run n waits for a custom op. If `keeps` is set, the
/// outputs of all nodes can be read by tn_graph_kept() afterwards.
TENURE_CALL int tn_graph_run(int number, int program, int count, bool keeps) {
  return guarded([&] {
    GraphModelEntry& graph = get_graph(number);
    Tensors outputs;
    const Tensors inputs = tensors_in_scratch(count);
    std::unique_ptr<executor::Execution> run = keeps ? graph.model().start_keeping_values(program, inputs)
                                                     : graph.model().start(program, inputs, outputs);
    if (!run) return export_results(std::move(outputs));
    if (const std::optional<int> ended = advance(graph, *run)) return *ended;
    return -2 - graph.waiting().add(std::move(run));
  });
}

/// Runs a program whose inputs or outputs are sequences or optional values. At `counts` are `inputs` int32:
/// the numbers of tensors of the inputs (executor::FlatValues). The ids of all `count` tensors are in the
/// scratch. Returns the number of tensors of all outputs, which are described in the scratch.
TENURE_CALL int tn_graph_run_containers(int number, int program, std::uintptr_t counts, std::size_t inputs,
                                        int count) {
  return guarded([&] {
    GraphModelEntry& graph = get_graph(number);
    const auto* first = reinterpret_cast<const std::int32_t*>(counts);
    const executor::FlatValues given{tensors_in_scratch(count), {first, first + inputs}};
    const std::unique_ptr<executor::Execution> run = graph.model().start_with_containers(program, given);
    check(!run->advance(), "the model needs an op that is not the engine's");
    executor::FlatValues results = run->finish_with_containers();
    const int outputs = export_results(std::move(results.tensors));
    std::swap(graph.counts(), results.counts);
    return outputs;
  });
}
/// Returns JSON in last_error(): the numbers of tensors of the outputs of the last run by
/// tn_graph_run_containers().
TENURE_CALL int tn_graph_counts(int number) {
  return return_json([&] {
    return json_list(get_graph(number).counts(), [](std::int32_t count) { return std::to_string(count); });
  });
}

/// Returns JSON in last_error() of the node that a run waits for: its name, and the name of its library
/// function, "" for the main graph.
TENURE_CALL int tn_graph_waiting(int number, int run) {
  return return_json([&] {
    const executor::Node& node = get_waiting(get_graph(number), run).waiting();
    return json_object({{"name", json_string(node.name)}, {"of", json_string(node.function)}});
  });
}
/// Describes the inputs of the node that a run waits for in the scratch, as tensors of the current scope.
/// Returns their number.
TENURE_CALL int tn_graph_waiting_inputs(int number, int run) {
  return guarded([&] {
    Tensors inputs;
    for (const executor::EdgeValue& item : get_waiting(get_graph(number), run).waiting_inputs()) {
      check(static_cast<bool>(item.tensor), "an input of a registered op is not a tensor");
      inputs.push_back(item.tensor);
    }
    return export_results(std::move(inputs));
  });
}
/// Resumes a run with the outputs of the node that it waits for, whose ids are in the scratch. Returns what
/// tn_graph_run() returns.
TENURE_CALL int tn_graph_supply(int number, int run, int count) {
  return guarded([&] {
    GraphModelEntry& graph = get_graph(number);
    executor::Execution& execution = get_waiting(graph, run);
    executor::EdgeValues items;
    for (Tensor& tensor : tensors_in_scratch(count)) items.emplace_back(std::move(tensor));
    execution.resume_with(std::move(items));
    const std::optional<int> ended = advance(graph, execution);
    if (!ended) return -2 - run;
    const auto removed = graph.waiting().remove(run);
    return *ended;
  });
}
/// Returns JSON in last_error(): the names of the nodes whose outputs were kept.
TENURE_CALL int tn_graph_kept(int number) {
  return return_json([&] {
    return json_list(get_graph(number).kept(),
                     [](const executor::NodeTensors& kept) { return json_string(kept.node); });
  });
}
/// Describes the kept outputs of the last node in the scratch, and removes the node. Returns their number.
TENURE_CALL int tn_graph_take_kept(int number) {
  return guarded([&] {
    std::vector<executor::NodeTensors>& kept = get_graph(number).kept();
    check(!kept.empty(), "nothing is kept");
    const int count = export_results(kept.back().tensors);
    // Freed after it is off the list, as a vector destroys an element before it drops it.
    const executor::NodeTensors last = std::move(kept.back());
    kept.pop_back();
    return count;
  });
}
/// Frees a run that will not be resumed.
TENURE_CALL void tn_graph_drop(int number, int run) {
  guarded([&] {
    const auto removed = get_graph(number).waiting().remove(run);
    return 0;
  });
}

/// Frees the model and its weights.
TENURE_CALL void tn_graph_dispose(int number) {
  unguarded([&] { const auto removed = graphs().remove(number); });
}

}  // namespace tenure::wasm
