// IF, WHILE, STABLEHLO_CASE and STABLEHLO_COMPOSITE: the subgraphs that they name become functions of the
// executor.

#include "core/error.h"
#include "import/tflite/internal_rows.h"
#include "import/tflite/reader.h"

namespace tenure::tflite {
namespace {

constexpr std::size_t kMaxBranches = 1024;

}  // namespace

void GraphReader::read_control_op(NameScope& scope, const OperatorDef& op, std::int32_t code) {
  if (code == kIf) return read_if(scope, op);
  if (code == kWhile) return read_while(scope, op);
  if (code == kRngBitGenerator) return read_bit_generator(scope, op);
  return code == kCase ? read_case(scope, op) : read_composite(scope, op);
}

Node GraphReader::make_call_node(NameScope& scope, const OperatorDef& op, const Row& row) {
  Node node;
  node.name = scope.names[static_cast<std::size_t>(op.outputs[0])];
  node.op = row.op;
  node.row = &row;
  for (const std::int32_t input : op.inputs) node.inputs.push_back(find(scope, input, ValueForm::kGraph));
  return node;
}

std::string GraphReader::find_function(const NameScope& scope, std::int32_t subgraph,
                                       std::span<const std::int32_t> inputs,
                                       std::span<const std::int32_t> outputs) {
  check(subgraph >= 0 && static_cast<std::size_t>(subgraph) < model_.subgraphs.size(), "it calls subgraph ",
        subgraph, " of ", model_.subgraphs.size());
  const SubgraphDef& graph = model_.subgraphs[static_cast<std::size_t>(subgraph)];
  check(graph.inputs.size() == inputs.size() && graph.outputs.size() >= outputs.size(), "subgraph ", subgraph,
        " has ", graph.inputs.size(), " inputs and ", graph.outputs.size(), " outputs, the node ",
        inputs.size(), " and ", outputs.size());
  const auto check_types = [&](std::span<const std::int32_t> own, std::span<const std::int32_t> theirs) {
    for (std::size_t i = 0; i < own.size(); ++i) {
      check(own[i] >= 0, "an input is left out");
      const TensorDef& a = get_tensor(scope, own[i]);
      const TensorDef& b = graph.tensors[static_cast<std::size_t>(theirs[i])];
      check(has_same_values(a, b), "value ", i, " is of the type ", get_type_name(a.type),
            ", that of subgraph ", subgraph, " of ", get_type_name(b.type),
            ", or is quantized in another way");
    }
  };
  check_types(inputs, graph.inputs);
  check_types(outputs, graph.outputs);
  const auto number = static_cast<std::uint32_t>(subgraph);
  bool is_known = false;
  for (const std::uint32_t called : called_) is_known = is_known || called == number;
  if (!is_known) {
    called_.push_back(number);
    pending_.push_back(number);
  }
  return text("subgraph ", subgraph);
}

void GraphReader::read_if(NameScope& scope, const OperatorDef& op) {
  check(!op.inputs.empty() && !op.outputs.empty(), "it has ", op.inputs.size(), " inputs and ",
        op.outputs.size(), " outputs");
  const std::span<const std::int32_t> inputs = std::span(op.inputs).subspan(1);
  Node node = make_call_node(scope, op, internal::kIfRow);
  const auto branch = [&](int field) { return op.options ? op.options->number<std::int32_t>(field) : 0; };
  add_string(node.attrs, "then_branch", find_function(scope, branch(0), inputs, op.outputs));
  add_string(node.attrs, "else_branch", find_function(scope, branch(1), inputs, op.outputs));
  set_values(scope, op.outputs, add(scope, std::move(node)));
}

void GraphReader::read_case(NameScope& scope, const OperatorDef& op) {
  const std::vector<std::int32_t> branches =
      op.options ? op.options->numbers<std::int32_t>(0) : std::vector<std::int32_t>();
  check(!op.inputs.empty() && !op.outputs.empty() && !branches.empty(), "it has ", op.inputs.size(),
        " inputs, ", op.outputs.size(), " outputs and ", branches.size(), " branches");
  check(branches.size() <= kMaxBranches, "it has ", branches.size(), " branches, the limit is ",
        kMaxBranches);
  const std::span<const std::int32_t> inputs = std::span(op.inputs).subspan(1);
  Node node = make_call_node(scope, op, internal::kCaseRow);
  add_number(node.attrs, "branches", static_cast<double>(branches.size()));
  for (std::size_t i = 0; i < branches.size(); ++i)
    add_string(node.attrs, text("branch ", i), find_function(scope, branches[i], inputs, op.outputs));
  set_values(scope, op.outputs, add(scope, std::move(node)));
}

void GraphReader::read_while(NameScope& scope, const OperatorDef& op) {
  check(!op.outputs.empty() && op.inputs.size() == op.outputs.size(), "it has ", op.inputs.size(),
        " inputs and ", op.outputs.size(), " outputs");
  Node node = make_call_node(scope, op, internal::kWhileRow);
  const auto subgraph = [&](int field) { return op.options ? op.options->number<std::int32_t>(field) : 0; };
  add_string(node.attrs, "cond", find_function(scope, subgraph(0), op.inputs, {}));
  add_string(node.attrs, "body", find_function(scope, subgraph(1), op.inputs, op.outputs));
  set_values(scope, op.outputs, add(scope, std::move(node)));
}

void GraphReader::read_composite(NameScope& scope, const OperatorDef& op) {
  check(!op.outputs.empty() && op.options, "it has ", op.outputs.size(), " outputs and ",
        op.options ? "options" : "no options");
  Node node = make_call_node(scope, op, internal::kCompositeRow);
  add_string(node.attrs, "f",
             find_function(scope, op.options->number<std::int32_t>(1), op.inputs, op.outputs));
  set_values(scope, op.outputs, add(scope, std::move(node)));
}

std::int32_t GraphReader::read_reduction(const OperatorDef& op, bool is_scatter) const {
  const std::int32_t subgraph = op.options ? op.options->number<std::int32_t>(is_scatter ? 6 : 5) : 0;
  check(subgraph >= 0 && static_cast<std::size_t>(subgraph) < model_.subgraphs.size(), "it calls subgraph ",
        subgraph, " of ", model_.subgraphs.size());
  const SubgraphDef& function = model_.subgraphs[static_cast<std::size_t>(subgraph)];
  const std::vector<OperatorDef>& body = function.operators;
  if (is_scatter && body.empty()) {
    check(function.inputs.size() == 2 && function.outputs == std::vector{function.inputs[1]},
          "its function, subgraph ", subgraph, ", does not return the second of two inputs");
    return 0;
  }
  check(body.size() == 1, "its function, subgraph ", subgraph, ", has ", body.size(), " nodes, expected one");
  check(function.inputs.size() == 2 && std::ranges::is_permutation(body[0].inputs, function.inputs) &&
            std::ranges::equal(body[0].outputs, function.outputs),
        "the node of its function, subgraph ", subgraph, ", does not combine the function's two inputs");
  // By the numbers of REDUCE_WINDOW's functions, from 1 on.
  constexpr std::uint8_t kFunctions[][2] = {{0, 163}, {18, 165}, {57, 181}, {55, 166}, {86, 176}, {84, 183}};
  const std::int32_t code = model_.codes[body[0].code].builtin;
  // A scatter has no logical functions, as in LiteRT.
  for (std::size_t i = 0; i < (is_scatter ? 4 : std::size(kFunctions)); ++i) {
    if (code == kFunctions[i][0] || code == kFunctions[i][1]) return static_cast<std::int32_t>(i) + 1;
  }
  fail("its function is ", describe(body[0]), ", which is not supported");
}

void GraphReader::set_values(NameScope& scope, std::span<const std::int32_t> tensors, std::uint32_t node) {
  for (std::uint32_t i = 0; i < tensors.size(); ++i)
    scope.values[static_cast<std::size_t>(tensors[i])] = {node, i};
}

void GraphReader::read_functions() {
  while (!pending_.empty()) {
    const std::uint32_t subgraph = pending_.back();
    pending_.pop_back();
    const std::string name = text("subgraph ", subgraph);
    Function function;
    function.name = name;
    NameScope scope = open(subgraph, function.block, name);
    for (const std::int32_t tensor : scope.graph.inputs) {
      Ref& value = scope.values[static_cast<std::size_t>(tensor)];
      check(value.is_absent(), name, " has the input \"", scope.names[static_cast<std::size_t>(tensor)],
            "\" twice");
      value = {add_argument(scope, tensor), 0};
      function.arguments.push_back(value.node);
    }
    read_operators(scope);
    for (const std::int32_t tensor : scope.graph.outputs) {
      function.results.push_back(find(scope, tensor, ValueForm::kGraph));
    }
    function.finish();
    import_.definition.functions.emplace(name, std::move(function));
  }
}

}  // namespace tenure::tflite
