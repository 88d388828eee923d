#include "core/run/tape.h"
#include "model/executor/program.h"

namespace tenure::executor {

Execution::Execution(const Program& program, Values values, std::vector<std::uint32_t> order, Tensors known,
                     Mode mode)
    : program_(program),
      values_(std::move(values)),
      order_(std::move(order)),
      known_(std::move(known)),
      mode_(mode),
      run_(program.definition_, program.resources_, values_, order_) {}

bool Execution::advance() {
  if (mode_ != kPlain) return run_.advance();
  const TapePause no_tape;
  return run_.advance();
}

Tensors Execution::finish() {
  for (std::size_t i = 0; i < known_.size(); ++i) {
    if (known_[i]) continue;
    const Ref& output = program_.outputs_[i];
    known_[i] = values_.take(output).tensor;
    check(static_cast<bool>(known_[i]), "the output \"", values_.block().nodes[output.node].name,
          "\" is not a tensor, or belongs to a branch that was not taken");
  }
  return std::move(known_);
}

FlatValues Execution::finish_with_containers() {
  FlatValues results;
  for (std::size_t i = 0; i < known_.size(); ++i) {
    const Ref& output = program_.outputs_[i];
    const EdgeValue value = known_[i] ? EdgeValue(std::move(known_[i])) : values_.take(output);
    check(results.append(value), "the output \"", values_.block().nodes[output.node].name,
          "\" has no value, or belongs to a branch that was not taken");
  }
  return results;
}

std::vector<NodeTensors> Execution::kept() const {
  if (mode_ != kKeeps) return {};
  std::vector<std::uint32_t> indices = order_;
  for (const Ref& input : program_.inputs_) indices.push_back(input.node);
  std::vector<NodeTensors> kept;
  for (const std::uint32_t index : indices) {
    const Node& node = values_.block().nodes[index];
    if (node.loop) continue;
    Tensors tensors;
    for (const EdgeValue& item : values_.of(index)) {
      if (item.tensor) tensors.push_back(item.tensor);
    }
    if (!tensors.empty()) kept.push_back({node.name, std::move(tensors)});
  }
  return kept;
}

}  // namespace tenure::executor
