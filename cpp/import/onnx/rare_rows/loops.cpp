// Takes Loop, Scan and SequenceMap apart, as control_flow.cpp does with If.

#include "core/error.h"
#include "import/onnx/attributes.h"
#include "import/onnx/control.h"
#include "import/onnx/reader.h"
#include "model/files/raw_elements.h"

namespace tenure::onnx {
namespace {

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
  const AttributeProto* attribute = find_attribute(proto.attributes, name);
  return attribute ? attribute->integers : std::vector<std::int64_t>();
}

/// Returns the axis and the direction of scan input or output `i`, as attributes of the rows that take and
/// stack slices.
Attributes scan_attributes(const NodeProto& proto, std::string_view axes, std::string_view directions,
                           std::size_t i) {
  const std::vector<std::int64_t> axis = find_integers(proto, axes);
  const std::vector<std::int64_t> direction = find_integers(proto, directions);
  Attributes attrs;
  attrs.add(number_attribute("axis", i < axis.size() ? saturate(axis[i]) : 0));
  attrs.add(number_attribute("reverse", i < direction.size() && direction[i] != 0 ? 1 : 0));
  return attrs;
}

}  // namespace

/// The first two values of the state are the number of the iteration and the number of iterations.
struct GraphReader::Iteration {
  Body body;
  bool has_condition = false;  ///< value 2 of the state is the condition
  std::vector<Ref> initial;    ///< the state before the first iteration
  std::vector<Ref> next;       ///< the state after an iteration; refers to the body's block
};

/// Adds the executor's loop, with the captures as further values of its state. `initial` becomes the state
/// after the last iteration.
void GraphReader::add_while(NameScope& scope, const NodeProto& proto, Iteration& iteration) {
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

/// Adds an argument of the body for each value that the iteration carries, and returns the arguments.
std::vector<Ref> GraphReader::add_arguments(Iteration& iteration, const std::string& name) {
  std::vector<Ref> arguments;
  for (std::size_t i = 0; i < iteration.initial.size(); ++i) {
    check(!iteration.initial[i].is_absent(), "value ", i, " that it carries has no name");
    arguments.push_back({add_argument(iteration.body.scope, name), 0});
    iteration.body.function.arguments.push_back(arguments[i].node);
  }
  return arguments;
}

/// Returns the values of a node's inputs. Throws if one is left out.
std::vector<Ref> GraphReader::find_inputs(NameScope& scope, const NodeProto& proto) {
  std::vector<Ref> inputs;
  for (std::size_t i = 0; i < proto.inputs.size(); ++i) {
    inputs.push_back(find_input(scope, proto, i));
    check(!inputs[i].is_absent(), "input ", i, " has no name");
  }
  return inputs;
}

void GraphReader::read_loop(NameScope& scope, const NodeProto& proto) {
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
  NameScope& inner = iteration.body.scope;
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
  const std::vector<Ref> arguments = add_arguments(iteration, name);
  name_value(inner, graph.inputs[0].name, arguments[0]);
  set_type(inner, graph.inputs[0].name, ElementType::kInt64);
  for (std::size_t i = 1; i < graph.inputs.size(); ++i) {
    name_value(inner, graph.inputs[i].name, arguments[i + 1]);
    set_type(inner, graph.inputs[i].name, find_type(scope, proto.inputs[i]));
  }
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
    set_type(scope, proto.outputs[i], find_type(inner, graph.outputs[i + 1].name));
  }
}

void GraphReader::read_scan(NameScope& scope, const NodeProto& proto) {
  const GraphProto& graph = find_graph(proto, "body");
  if (find_opset(scope, "") < 9 && is_batched_scan(proto))
    return read_scan(scope, unbatch_scan(proto, graph, names_));
  const std::vector<std::int64_t> number = find_integers(proto, kScanInputs);
  check(number.size() == 1 && number[0] >= 1 && static_cast<std::uint64_t>(number[0]) <= proto.inputs.size(),
        "attribute \"num_scan_inputs\" does not fit its ", proto.inputs.size(), " inputs");
  const auto scanned = static_cast<std::size_t>(number[0]);
  const std::size_t carried = proto.inputs.size() - scanned;
  check(graph.inputs.size() == proto.inputs.size() && graph.outputs.size() >= carried &&
            proto.outputs.size() <= graph.outputs.size(),
        "its graph has ", graph.inputs.size(), " inputs and ", graph.outputs.size(), " outputs");
  const std::size_t lists = graph.outputs.size() - carried;
  Iteration iteration;
  start_body(iteration.body, scope, proto, graph);
  NameScope& inner = iteration.body.scope;
  const std::string name(proto.name);
  const std::vector<Ref> inputs = find_inputs(scope, proto);
  iteration.initial = {add_constant(scope, name, Tensor::scalar(0)),
                       add_internal(scope, proto, control::kExtentRow, {inputs[carried]},
                                    scan_attributes(proto, kScanAxes, "scan_input_directions", 0))};
  iteration.initial.insert(iteration.initial.end(), inputs.begin(), inputs.end());
  for (std::size_t i = 0; i < lists; ++i)
    iteration.initial.push_back(add_internal(scope, proto, control::kEmptySequenceRow, {}));
  const std::vector<Ref> arguments = add_arguments(iteration, name);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    Ref value = arguments[i + 2];
    if (i >= carried) {
      value = add_internal(inner, proto, control::kTakeRow, {value, arguments[0]},
                           scan_attributes(proto, kScanAxes, "scan_input_directions", i - carried));
    }
    name_value(inner, graph.inputs[i].name, value);
    set_type(inner, graph.inputs[i].name, find_type(scope, proto.inputs[i]));
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
      Attributes attrs = scan_attributes(proto, "scan_output_axes", "scan_output_directions", i - carried);
      const Attributes output_attrs = to_attributes(graph.outputs[i], options_.free_dimensions);
      for (const Attributes::Value& one : output_attrs.all()) attrs.add(one);
      value = add_internal(scope, proto, control::kStackRow, {value}, std::move(attrs));
    }
    name_value(scope, proto.outputs[i], value);
    set_type(scope, proto.outputs[i], find_type(inner, graph.outputs[i].name));
  }
}

void GraphReader::read_sequence_map(NameScope& scope, const NodeProto& proto) {
  const GraphProto& graph = find_graph(proto, "body");
  check(!proto.inputs.empty() && graph.inputs.size() == proto.inputs.size() &&
            proto.outputs.size() <= graph.outputs.size(),
        "its graph has ", graph.inputs.size(), " inputs and ", graph.outputs.size(), " outputs");
  Iteration iteration;
  start_body(iteration.body, scope, proto, graph);
  NameScope& inner = iteration.body.scope;
  const std::string name(proto.name);
  const std::vector<Ref> inputs = find_inputs(scope, proto);
  iteration.initial = {add_constant(scope, name, Tensor::scalar(0)),
                       add_internal(scope, proto, control::kLengthRow, inputs)};
  iteration.initial.insert(iteration.initial.end(), inputs.begin(), inputs.end());
  for (std::size_t i = 0; i < proto.outputs.size(); ++i)
    iteration.initial.push_back(add_internal(scope, proto, control::kEmptySequenceRow, {}));
  const std::vector<Ref> arguments = add_arguments(iteration, name);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    name_value(inner, graph.inputs[i].name,
               add_internal(inner, proto, control::kElementRow, {arguments[i + 2], arguments[0]}));
    set_type(inner, graph.inputs[i].name, find_type(scope, proto.inputs[i]));
  }
  read_body(iteration.body, graph);
  iteration.next = arguments;
  iteration.next[0] = add_internal(inner, proto, control::kNextRow, {arguments[0]});
  const std::size_t first_list = inputs.size() + 2;
  for (std::size_t i = 0; i < proto.outputs.size(); ++i) {
    iteration.next[first_list + i] = add_internal(
        inner, proto, control::kAppendRow, {arguments[first_list + i], find(inner, graph.outputs[i].name)});
  }
  add_while(scope, proto, iteration);
  for (std::size_t i = 0; i < proto.outputs.size(); ++i) {
    name_value(scope, proto.outputs[i], iteration.initial[first_list + i]);
    set_type(scope, proto.outputs[i], find_type(inner, graph.outputs[i].name));
  }
}

}  // namespace tenure::onnx
