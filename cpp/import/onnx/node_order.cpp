#include "import/onnx/node_order.h"

#include <unordered_map>

#include "model/executor/definition.h"

namespace tenure::onnx {
namespace {

using Names = std::vector<std::string_view>;
/// The type of NameScope::values, whose code the engine has already. Here a Ref is the index of a node.
using NodesByName = std::unordered_map<std::string, executor::Ref>;

/// Returns the names that a node reads: its inputs, and what its inner graphs read and do not define.
Names find_reads(const NodeProto& node) {
  Names reads = node.inputs;
  Names inner;
  NodesByName defined;
  // A worklist instead of recursion: graphs in a file may nest to any depth.
  std::vector<const NodeProto*> open{&node};
  while (!open.empty()) {
    const NodeProto& outer = *open.back();
    open.pop_back();
    for (const AttributeProto& attribute : outer.attributes) {
      for (const GraphProto& graph : attribute.graphs) {
        for (const ValueInfoProto& input : graph.inputs) defined.emplace(input.name, executor::Ref{});
        for (const TensorProto& tensor : graph.initializers) defined.emplace(tensor.name, executor::Ref{});
        for (const ValueInfoProto& output : graph.outputs) inner.push_back(output.name);
        for (const NodeProto& one : graph.nodes) {
          for (const std::string_view name : one.inputs) inner.push_back(name);
          for (const std::string_view name : one.outputs) defined.emplace(name, executor::Ref{});
          open.push_back(&one);
        }
      }
    }
  }
  for (const std::string_view name : inner) {
    if (!defined.contains(std::string(name))) reads.push_back(name);
  }
  return reads;
}

}  // namespace

std::vector<const NodeProto*> sort_nodes(std::span<const NodeProto> nodes) {
  NodesByName producers;
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    for (const std::string_view name : nodes[i].outputs) {
      // An empty name is an output, or an input, that is omitted.
      if (!name.empty()) producers.emplace(name, executor::Ref{i, 0});
    }
  }
  std::vector<const NodeProto*> order;
  order.reserve(nodes.size());
  std::vector<bool> visited(nodes.size());
  // The nodes that wait for others, each before what it waits for, and the names that they still have to look
  // up. An explicit stack: a file may contain chains of any length.
  std::vector<std::pair<std::uint32_t, Names>> stack;
  const auto visit = [&](std::uint32_t node) {
    if (visited[node]) return;
    visited[node] = true;
    stack.emplace_back(node, find_reads(nodes[node]));
  };
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    visit(i);
    while (!stack.empty()) {
      auto& [node, reads] = stack.back();
      if (reads.empty()) {
        order.push_back(&nodes[node]);
        stack.pop_back();
        continue;
      }
      const auto producer = producers.find(std::string(reads.back()));
      reads.pop_back();
      if (producer != producers.end()) visit(producer->second.node);
    }
  }
  return order;
}

}  // namespace tenure::onnx
