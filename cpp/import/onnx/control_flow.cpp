// Takes If apart: graphs in attributes become functions of the executor, and the values of outer graphs that
// they read become arguments.

#include <algorithm>

#include "core/error.h"
#include "import/onnx/attributes.h"
#include "import/onnx/control.h"
#include "import/onnx/reader.h"
#include "model/files/raw_elements.h"

namespace tenure::onnx {
const GraphProto& GraphReader::find_graph(const NodeProto& proto, std::string_view name) const {
  const AttributeProto* attribute = find_attribute(proto.attributes, name);
  check(attribute && attribute->graphs.size() == 1, "it has no graph \"", name, "\"");
  return attribute->graphs[0];
}

std::string GraphReader::add_function(Function function) {
  function.name = text("graph ", import_.definition.functions.size() + 1, " ", function.name);
  function.finish();
  std::string name = function.name;
  import_.definition.functions.emplace(name, std::move(function));
  return name;
}

void GraphReader::start_body(Body& body, NameScope& outer, const NodeProto& proto, const GraphProto& graph) {
  body.function.name = text("of ", proto.op, " ", proto.name, " ", graph.name);
  body.scope.block = &body.function.block;
  body.scope.outer = &outer;
  body.scope.opsets = outer.opsets;
  body.scope.call = outer.call;
  body.scope.function = outer.function;
  body.scope.caller = outer.caller;
}

void GraphReader::read_body(Body& body, const GraphProto& graph) {
  declare_types(body.scope, graph);
  read_initializers(body.scope, graph.initializers);
  read_nodes(body.scope, graph.nodes);
  std::vector<Ref> outputs;
  outputs.reserve(graph.outputs.size());
  for (const ValueInfoProto& output : graph.outputs) outputs.push_back(find_output(body.scope, output.name));
  fuse(*body.scope.block, graph, outputs);
}

void GraphReader::read_if(NameScope& scope, const NodeProto& proto) {
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
    NameScope& inner = bodies[i].scope;
    for (const std::string& name : captures) bodies[i].function.arguments.push_back(find(inner, name).node);
    node.attrs.add(string_attribute(std::string(kBranches[i]), add_function(std::move(bodies[i].function))));
  }
  const std::uint32_t index = add(scope, std::move(node));
  for (std::uint32_t i = 0; i < proto.outputs.size(); ++i) {
    name_value(scope, proto.outputs[i], {index, i});
    for (int k = 0; k < 2; ++k) {
      const GraphProto& graph = find_graph(proto, kBranches[k]);
      set_type(scope, proto.outputs[i], find_type(bodies[k].scope, graph.outputs[i].name));
    }
  }
}

}  // namespace tenure::onnx
