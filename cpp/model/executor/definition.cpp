#include "model/executor/definition.h"

#include <algorithm>

#include "core/error.h"
#include "model/executor/row.h"

namespace tenure::executor {
namespace {

struct Edge {
  std::string_view name;
  std::vector<std::string_view> rest;  ///< the parts after colons
};

Edge split(std::string_view text) {
  Edge edge;
  std::size_t colon = text.find(':');
  edge.name = text.substr(0, colon);
  while (colon != std::string_view::npos) {
    const std::size_t start = colon + 1;
    colon = text.find(':', start);
    edge.rest.push_back(text.substr(start, colon == std::string_view::npos ? colon : colon - start));
  }
  return edge;
}

std::uint32_t parse_index(std::string_view digits, std::string_view edge) {
  std::uint32_t index = 0;
  for (const char c : digits) {
    check(c >= '0' && c <= '9' && index < 100000, "the input \"", edge, "\" names no output of a node");
    index = index * 10 + static_cast<std::uint32_t>(c - '0');
  }
  return index;
}

/// Returns the index of a named output of a node; 0 if the node's row does not have the name.
std::uint32_t find_output_index(const Node& node, std::string_view output) {
  std::uint32_t index = 0;
  const std::string_view names = node.row ? node.row->outputs : std::string_view();
  for (std::size_t start = 0; start < names.size(); ++index) {
    const std::size_t end = std::min(names.find(',', start), names.size());
    if (names.substr(start, end - start) == output) return index;
    start = end + 1;
  }
  return 0;
}

}  // namespace

Ref Block::find(std::string_view name) const {
  if (const auto exact = names.find(std::string(name)); exact != names.end()) return exact->second;
  const Edge edge = split(name);
  const auto at = names.find(std::string(edge.name));
  check(at != names.end(), "there is no node \"", edge.name, "\"");
  Ref ref = at->second;
  const Node& node = nodes[ref.node];
  if (edge.rest.size() == 1) {
    const std::string_view string = edge.rest[0];
    const bool is_index = !string.empty() && string[0] >= '0' && string[0] <= '9';
    ref.output = is_index ? parse_index(string, name) : find_output_index(node, string);
  } else if (edge.rest.size() == 2) {
    ref.output = find_output_index(node, edge.rest[0]) + parse_index(edge.rest[1], name);
  } else {
    check(edge.rest.empty(), "the input \"", name, "\" names no output of a node");
  }
  return ref;
}

bool Block::has(std::string_view name) const {
  return names.contains(std::string(name)) || names.contains(std::string(name.substr(0, name.find(':'))));
}

std::vector<Ref> Block::leaves() const {
  std::vector<bool> is_read(nodes.size(), false);
  for (const Node& node : nodes) {
    for (const Ref& input : node.inputs) {
      if (!input.is_absent()) is_read[input.node] = true;
    }
    for (const std::uint32_t control : node.controls) is_read[control] = true;
  }
  std::vector<Ref> leaves;
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    if (!is_read[i] && names.contains(nodes[i].name)) leaves.push_back({i, 0});
  }
  return leaves;
}

Schedule Block::schedule(const std::vector<Ref>& wanted, const std::vector<bool>& given) const {
  enum : std::uint8_t { kNew, kOpen, kDone };
  std::vector<std::uint8_t> state(nodes.size(), kNew);
  Schedule result;
  result.readers.assign(nodes.size(), 0);
  // An explicit stack: a file may contain chains of any length.
  std::vector<std::pair<std::uint32_t, std::size_t>> stack;
  const auto visit = [&](std::uint32_t node) {
    if (state[node] == kDone) return;
    check(state[node] == kNew, "the node \"", nodes[node].name, "\" is its own input: the graph has a cycle");
    state[node] = kOpen;
    stack.emplace_back(node, 0);
  };
  for (const Ref& ref : wanted) {
    ++result.readers[ref.node];
    visit(ref.node);
    while (!stack.empty()) {
      const auto [at, next] = stack.back();
      const Node& node = nodes[at];
      const std::size_t inputs = given[at] ? 0 : node.inputs.size();
      const std::size_t edges = given[at] ? 0 : inputs + node.controls.size();
      if (next == edges) {
        state[at] = kDone;
        if (!given[at]) result.order.push_back(at);
        stack.pop_back();
        continue;
      }
      ++stack.back().second;
      const std::uint32_t input = next < inputs ? node.inputs[next].node : node.controls[next - inputs];
      if (input == Ref::kAbsent) continue;
      ++result.readers[input];
      visit(input);
    }
  }
  return result;
}

void Function::finish() {
  std::vector<bool> given(block.nodes.size(), false);
  for (const std::uint32_t argument : arguments) given[argument] = true;
  schedule = block.schedule(results, given);
}

}  // namespace tenure::executor
