#include "import/graphdef/reader.h"

#include <algorithm>

#include "core/error.h"
#include "model/files/json.h"

namespace tenure::graphdef {
namespace {

const std::string& get_string(const Json& json, std::string_view key, std::string_view what) {
  const Json* string = json.find(key);
  check(string && string->is_string() && !string->string().empty(), what, " has no ", key);
  return string->string();
}

NodeRole get_role(std::string_view op) {
  if (op == "Const") return NodeRole::kConstant;
  if (op == "Placeholder") return NodeRole::kInput;
  return op.starts_with("Placeholder") ? NodeRole::kOptionalInput : NodeRole::kOp;
}

// Out of line, because they run for every node; see model/plan/plan.cpp.
[[gnu::noinline]] Node read_node(const Json& json, const LoadContext& context, const std::string& function) {
  Node node;
  node.function = function;
  node.name = get_string(json, "name", "a node");
  node.op = get_string(json, "op", text("the node \"", node.name, "\""));
  node.row = find_row(node.op);
  node.is_custom = std::find(context.custom.begin(), context.custom.end(), node.op) != context.custom.end();
  try {
    if (const Json* attrs = json.find("attr")) node.attrs = read_attributes(*attrs);
  } catch (const Error& error) {
    fail("the node \"", node.name, "\" (", node.op, "): ", error.what());
  }
  node.role = get_role(node.op);
  if (node.role == NodeRole::kConstant) {
    if (const auto at = context.weights.find(node.name); at != context.weights.end())
      node.constant = at->second;
  }
  return node;
}

[[gnu::noinline]] void add(Block& block, Node node) {
  const auto index = static_cast<std::uint32_t>(block.nodes.size());
  check(block.names.emplace(node.name, Ref{index, 0}).second, "two nodes have the name \"", node.name, "\"");
  block.nodes.push_back(std::move(node));
}

[[gnu::noinline]] void connect(Block& block, Node& node, const Json& json) {
  const Json* inputs = json.find("input");
  if (!inputs) return;
  for (const Json& input : inputs->items()) {
    check(input.is_string(), "the node \"", node.name, "\" has an input that is not a string");
    std::string_view name = input.string();
    const bool is_control = name.starts_with('^');
    if (is_control) name.remove_prefix(1);
    try {
      const Ref ref = block.find(name);
      if (is_control) {
        node.controls.push_back(ref.node);
      } else {
        node.inputs.push_back(ref);
      }
    } catch (const Error& error) {
      fail("the node \"", node.name, "\" (", node.op, ") cannot be connected: ", error.what());
    }
  }
}

/// Appends the nodes of a list to a block. `function` is the function of the block, empty for the main graph.
void read_nodes(const Json* list, const LoadContext& context, const std::string& function, Block& block) {
  if (!list) return;
  const std::size_t first = block.nodes.size();
  for (const Json& json : list->items()) add(block, read_node(json, context, function));
  for (std::size_t i = 0; i < list->items().size(); ++i)
    connect(block, block.nodes[first + i], list->items()[i]);
  extract_loops(block);
  // A cycle is an error even if no output depends on it.
  std::vector<Ref> all;
  all.reserve(block.names.size());
  for (const auto& [name, ref] : block.names) all.push_back(ref);
  block.schedule(all, std::vector<bool>(block.nodes.size(), false));
}

const Json* either(const Json& json, std::string_view camel, std::string_view snake) {
  const Json* found = json.find(camel);
  return found ? found : json.find(snake);
}

Function read_function(const Json& json, const LoadContext& context) {
  const Json* signature = json.find("signature");
  check(signature != nullptr, "a function of the library has no signature");
  Function function;
  function.name = get_string(*signature, "name", "a function of the library");
  if (const Json* arguments = either(*signature, "inputArg", "input_arg")) {
    for (const Json& argument : arguments->items()) {
      Node node;
      node.name = get_string(argument, "name", text("an argument of the function \"", function.name, "\""));
      node.op = "Placeholder";
      node.row = find_row(node.op);
      node.role = NodeRole::kInput;
      function.arguments.push_back(static_cast<std::uint32_t>(function.block.nodes.size()));
      add(function.block, std::move(node));
    }
  }
  read_nodes(either(json, "nodeDef", "node_def"), context, function.name, function.block);
  const Json* returned = json.find("ret");
  if (const Json* results = either(*signature, "outputArg", "output_arg")) {
    for (const Json& result : results->items()) {
      const std::string& name =
          get_string(result, "name", text("a result of the function \"", function.name, "\""));
      const Json* from = returned ? returned->find(name) : nullptr;
      check(from && from->is_string(), "the function \"", function.name, "\" does not return its result \"",
            name, "\"");
      function.results.push_back(function.block.find(from->string()));
    }
  }
  function.finish();
  return function;
}

}  // namespace

Definition read_definition(const Json& json, const LoadContext& context) {
  const Json* nodes = json.find("node");
  check(nodes && nodes->is_array(), "the model's topology has no nodes: is it a graph model?");
  Definition definition;
  read_nodes(nodes, context, {}, definition.main);
  const Json* library = json.find("library");
  const Json* functions = library ? library->find("function") : nullptr;
  if (!functions) return definition;
  for (const Json& function : functions->items()) {
    try {
      Function read = read_function(function, context);
      std::string name = read.name;
      check(definition.functions.emplace(std::move(name), std::move(read)).second, "it is there twice");
    } catch (const Error& error) {
      const Json* signature = function.find("signature");
      const Json* name = signature ? signature->find("name") : nullptr;
      fail("the function \"", name ? name->string() : std::string(), "\": ", error.what());
    }
  }
  return definition;
}

}  // namespace tenure::graphdef
