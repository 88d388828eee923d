#include "model/executor/definition.h"

#include "core/error.h"

namespace tenure::executor {

std::vector<Ref> Block::leaves() const {
  std::vector<bool> is_read(nodes.size(), false);
  for (const Node& node : nodes) {
    for (const Ref& input : node.inputs) is_read[input.node] = true;
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
  Schedule made;
  made.readers.assign(nodes.size(), 0);
  // An explicit stack: a file may contain chains of any length.
  std::vector<std::pair<std::uint32_t, std::size_t>> stack;
  const auto visit = [&](std::uint32_t node) {
    if (state[node] == kDone) return;
    check(state[node] == kNew, "the node \"", nodes[node].name, "\" is its own input: the graph has a cycle");
    state[node] = kOpen;
    stack.emplace_back(node, 0);
  };
  for (const Ref& ref : wanted) {
    ++made.readers[ref.node];
    visit(ref.node);
    while (!stack.empty()) {
      const auto [at, next] = stack.back();
      const Node& node = nodes[at];
      const std::size_t inputs = given[at] ? 0 : node.inputs.size();
      const std::size_t edges = given[at] ? 0 : inputs + node.controls.size();
      if (next == edges) {
        state[at] = kDone;
        if (!given[at]) made.order.push_back(at);
        stack.pop_back();
        continue;
      }
      ++stack.back().second;
      const std::uint32_t input = next < inputs ? node.inputs[next].node : node.controls[next - inputs];
      ++made.readers[input];
      visit(input);
    }
  }
  return made;
}

void Function::finish() {
  std::vector<bool> given(block.nodes.size(), false);
  for (const std::uint32_t argument : arguments) given[argument] = true;
  schedule = block.schedule(results, given);
}

}  // namespace tenure::executor
