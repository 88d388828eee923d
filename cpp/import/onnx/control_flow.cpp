// Takes If, Loop and Scan apart: their graphs become functions of the executor, and the values of outer
// graphs that they read become arguments.

#include <algorithm>

#include "core/error.h"
#include "import/onnx/attributes.h"
#include "import/onnx/control.h"
#include "import/onnx/reader.h"
#include "model/files/raw_elements.h"

namespace tenure::onnx {
namespace {

Attributes::Value string_attribute(std::string name, std::string value) {
  Attributes::Value attribute;
  attribute.name = std::move(name);
  attribute.strings.push_back(std::move(value));
  return attribute;
}

Attributes::Value number_attribute(std::string name, double value) {
  Attributes::Value attribute;
  attribute.name = std::move(name);
  attribute.numbers.push_back(value);
  return attribute;
}

Tensor true_tensor() {
  Tensor tensor({{}, DType::kBool});
  *tensor.mutable_data<std::uint8_t>() = 1;
  return tensor;
}

std::vector<std::int64_t> find_integers(const NodeProto& proto, std::string_view name) {
  for (const AttributeProto& attribute : proto.attributes) {
    if (attribute.name == name) return attribute.integers;
  }
  return {};
}

}  // namespace

const GraphProto& GraphReader::find_graph(const NodeProto& proto, std::string_view name) const {
  for (const AttributeProto& attribute : proto.attributes) {
    if (attribute.name == name && attribute.graphs.size() == 1) return attribute.graphs[0];
  }
  fail("it has no graph \"", name, "\"");
}

std::string GraphReader::add_function(Function function) {
  function.name = text("graph ", import_.definition.functions.size() + 1, " ", function.name);
  function.finish();
  std::string name = function.name;
  import_.definition.functions.emplace(name, std::move(function));
  return name;
}

void GraphReader::start_body(Body& body, Scope& outer, const NodeProto& proto, const GraphProto& graph) {
  body.function.name = text("of ", proto.op, " ", proto.name, " ", graph.name);
  body.scope.block = &body.function.block;
  body.scope.outer = &outer;
  body.scope.opsets = outer.opsets;
  body.scope.call = outer.call;
  body.scope.function = outer.function;
  body.scope.caller = outer.caller;
}

void GraphReader::read_body(Body& body, const GraphProto& graph) {
  read_initializers(body.scope, graph.initializers);
  read_nodes(body.scope, graph.nodes);
  fuse_quantized_products(*body.scope.block);
}

void GraphReader::read_if(Scope& scope, const NodeProto& proto) {
  check(!proto.inputs.empty(), "it has no condition");
  constexpr std::string_view kBranches[] = {"then_branch", "else_branch"};
  Body bodies[2];
  std::vector<std::string> captures;
  for (int i = 0; i < 2; ++i) {
    const GraphProto& graph = find_graph(proto, kBranches[i]);
    check(graph.outputs.size() >= proto.outputs.size(), "its graph \"", kBranches[i], "\" has ",
          graph.outputs.size(), " outputs, the node ", proto.outputs.size());
    start_body(bodies[i], scope, proto, graph);
    read_body(bodies[i], graph);
    for (std::size_t k = 0; k < proto.outputs.size(); ++k)
      bodies[i].function.results.push_back(find(bodies[i].scope, graph.outputs[k].name));
    for (const std::string& name : bodies[i].scope.captures) {
      if (std::find(captures.begin(), captures.end(), name) == captures.end()) captures.push_back(name);
    }
  }
  Node node;
  node.name = !proto.name.empty() || proto.outputs.empty() ? proto.name : proto.outputs[0];
  node.op = proto.op;
  node.row = &control::kIfRow;
  node.inputs.push_back(find_input(scope, proto, 0));
  for (const std::string& name : captures) node.inputs.push_back(find(scope, name));
  for (int i = 0; i < 2; ++i) {
    Scope& inner = bodies[i].scope;
    for (const std::string& name : captures) bodies[i].function.arguments.push_back(find(inner, name).node);
    node.attrs.add(string_attribute(std::string(kBranches[i]), add_function(std::move(bodies[i].function))));
  }
  const std::uint32_t index = add(scope, std::move(node));
  for (std::uint32_t i = 0; i < proto.outputs.size(); ++i) name_value(scope, proto.outputs[i], {index, i});
}

/// The first two values of the state are the number of the iteration and the number of iterations.
struct GraphReader::Iteration {
  Body body;
  bool has_condition = false;  ///< value 2 of the state is the condition
  std::vector<Ref> initial;    ///< the state before the first iteration
  std::vector<Ref> next;       ///< the state after an iteration; refers to the body's block
};

/// Adds the executor's loop, with the captures as further values of its state. `initial` becomes the state
/// after the last iteration.
void GraphReader::add_while(Scope& scope, const NodeProto& proto, Iteration& iteration) {
  Body& body = iteration.body;
  for (std::size_t i = 0; i < body.scope.captures.size(); ++i) {
    iteration.initial.push_back(find(scope, body.scope.captures[i]));
    body.function.arguments.push_back(body.scope.capture_arguments[i]);
    iteration.next.push_back({body.scope.capture_arguments[i], 0});
  }
  body.function.results = iteration.next;
  Body condition;
  start_body(condition, scope, proto, *model_.graph);
  std::vector<Ref> read;
  for (std::size_t i = 0; i < iteration.initial.size(); ++i) {
    const std::uint32_t argument = add_argument(condition.scope, "state");
    condition.function.arguments.push_back(argument);
    if (i < (iteration.has_condition ? 3U : 2U)) read.push_back({argument, 0});
  }
  condition.function.results.push_back(
      add_internal(condition.scope, proto, control::kContinueRow, std::move(read)));
  Attributes attrs;
  attrs.add(string_attribute("cond", add_function(std::move(condition.function))));
  attrs.add(string_attribute("body", add_function(std::move(body.function))));
  const std::size_t count = iteration.initial.size();
  const Ref loop =
      add_internal(scope, proto, control::kWhileRow, std::move(iteration.initial), std::move(attrs));
  iteration.initial.clear();
  for (std::uint32_t i = 0; i < count; ++i) iteration.initial.push_back({loop.node, i});
}

void GraphReader::read_loop(Scope& scope, const NodeProto& proto) {
  const GraphProto& graph = find_graph(proto, "body");
  check(proto.inputs.size() >= 2, "it has ", proto.inputs.size(), " inputs, at least 2 were expected");
  const std::size_t carried = proto.inputs.size() - 2;
  check(graph.inputs.size() == carried + 2 && graph.outputs.size() >= carried + 1, "its graph has ",
        graph.inputs.size(), " inputs and ", graph.outputs.size(), " outputs for ", carried, " values");
  check(proto.outputs.size() <= graph.outputs.size() - 1, "it has ", proto.outputs.size(),
        " outputs, its graph ", graph.outputs.size());
  const std::size_t lists = graph.outputs.size() - 1 - carried;
  Iteration iteration;
  iteration.has_condition = true;
  start_body(iteration.body, scope, proto, graph);
  Scope& inner = iteration.body.scope;
  const std::string name(proto.name);
  const Ref limit = find_input(scope, proto, 0);
  const Ref holds = find_input(scope, proto, 1);
  iteration.initial = {
      add_constant(scope, name, Tensor::scalar(0)),
      limit.is_absent() ? add_constant(scope, name, Tensor::scalar(INT32_MAX)) : limit,
      holds.is_absent() ? add_constant(scope, name, true_tensor()) : holds,
  };
  for (std::size_t i = 0; i < carried; ++i) iteration.initial.push_back(find_input(scope, proto, i + 2));
  for (std::size_t i = 0; i < lists; ++i)
    iteration.initial.push_back(add_internal(scope, proto, control::kEmptySequenceRow, {}));
  std::vector<Ref> arguments;
  for (std::size_t i = 0; i < iteration.initial.size(); ++i) {
    check(!iteration.initial[i].is_absent(), "value ", i, " that it carries has no name");
    arguments.push_back({add_argument(inner, name), 0});
    iteration.body.function.arguments.push_back(arguments[i].node);
  }
  name_value(inner, graph.inputs[0].name, arguments[0]);
  for (std::size_t i = 1; i < graph.inputs.size(); ++i)
    name_value(inner, graph.inputs[i].name, arguments[i + 1]);
  read_body(iteration.body, graph);
  iteration.next = {add_internal(inner, proto, control::kNextRow, {arguments[0]}), arguments[1]};
  for (std::size_t i = 0; i < graph.outputs.size(); ++i) {
    const Ref value = find(inner, graph.outputs[i].name);
    if (i <= carried) {
      iteration.next.push_back(value);
    } else {
      iteration.next.push_back(add_internal(inner, proto, control::kAppendRow, {arguments[i + 2], value}));
    }
  }
  add_while(scope, proto, iteration);
  for (std::size_t i = 0; i < proto.outputs.size(); ++i) {
    Ref value = iteration.initial[i + 3];
    if (i >= carried) {
      value = add_internal(scope, proto, control::kStackRow, {value},
                           to_attributes(graph.outputs[i + 1], options_.free_dimensions));
    }
    name_value(scope, proto.outputs[i], value);
  }
}

void GraphReader::read_scan(Scope& scope, const NodeProto& proto) {
  check(find_opset(scope, "") >= 9, "Scan of opset 8 is not supported");
  const GraphProto& graph = find_graph(proto, "body");
  const std::vector<std::int64_t> number = find_integers(proto, "num_scan_inputs");
  check(number.size() == 1 && number[0] >= 1 && static_cast<std::uint64_t>(number[0]) <= proto.inputs.size(),
        "attribute \"num_scan_inputs\" does not fit its ", proto.inputs.size(), " inputs");
  const auto scanned = static_cast<std::size_t>(number[0]);
  const std::size_t carried = proto.inputs.size() - scanned;
  check(graph.inputs.size() == proto.inputs.size() && graph.outputs.size() >= carried &&
            proto.outputs.size() <= graph.outputs.size(),
        "its graph has ", graph.inputs.size(), " inputs and ", graph.outputs.size(), " outputs");
  const std::size_t lists = graph.outputs.size() - carried;
  const auto attrs_of = [&](std::string_view axes, std::string_view directions, std::size_t i) {
    const std::vector<std::int64_t> axis = find_integers(proto, axes);
    const std::vector<std::int64_t> direction = find_integers(proto, directions);
    Attributes attrs;
    attrs.add(number_attribute("axis", i < axis.size() ? saturate(axis[i]) : 0));
    attrs.add(number_attribute("reverse", i < direction.size() && direction[i] != 0 ? 1 : 0));
    return attrs;
  };
  Iteration iteration;
  start_body(iteration.body, scope, proto, graph);
  Scope& inner = iteration.body.scope;
  const std::string name(proto.name);
  std::vector<Ref> inputs;
  for (std::size_t i = 0; i < proto.inputs.size(); ++i) {
    inputs.push_back(find_input(scope, proto, i));
    check(!inputs[i].is_absent(), "input ", i, " has no name");
  }
  iteration.initial = {add_constant(scope, name, Tensor::scalar(0)),
                       add_internal(scope, proto, control::kExtentRow, {inputs[carried]},
                                    attrs_of("scan_input_axes", "scan_input_directions", 0))};
  iteration.initial.insert(iteration.initial.end(), inputs.begin(), inputs.end());
  for (std::size_t i = 0; i < lists; ++i)
    iteration.initial.push_back(add_internal(scope, proto, control::kEmptySequenceRow, {}));
  std::vector<Ref> arguments;
  for (std::size_t i = 0; i < iteration.initial.size(); ++i) {
    arguments.push_back({add_argument(inner, name), 0});
    iteration.body.function.arguments.push_back(arguments[i].node);
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    Ref value = arguments[i + 2];
    if (i >= carried) {
      value = add_internal(inner, proto, control::kTakeRow, {value, arguments[0]},
                           attrs_of("scan_input_axes", "scan_input_directions", i - carried));
    }
    name_value(inner, graph.inputs[i].name, value);
  }
  read_body(iteration.body, graph);
  iteration.next = {add_internal(inner, proto, control::kNextRow, {arguments[0]}), arguments[1]};
  for (std::size_t i = 0; i < carried; ++i) iteration.next.push_back(find(inner, graph.outputs[i].name));
  for (std::size_t i = 0; i < scanned; ++i) iteration.next.push_back(arguments[2 + carried + i]);
  for (std::size_t i = 0; i < lists; ++i) {
    iteration.next.push_back(
        add_internal(inner, proto, control::kAppendRow,
                     {arguments[2 + inputs.size() + i], find(inner, graph.outputs[carried + i].name)}));
  }
  add_while(scope, proto, iteration);
  for (std::size_t i = 0; i < proto.outputs.size(); ++i) {
    Ref value = iteration.initial[i < carried ? i + 2 : i + 2 + scanned];
    if (i >= carried) {
      Attributes attrs = attrs_of("scan_output_axes", "scan_output_directions", i - carried);
      const Attributes declared = to_attributes(graph.outputs[i], options_.free_dimensions);
      for (const Attributes::Value& one : declared.all()) attrs.add(one);
      value = add_internal(scope, proto, control::kStackRow, {value}, std::move(attrs));
    }
    name_value(scope, proto.outputs[i], value);
  }
}

}  // namespace tenure::onnx
