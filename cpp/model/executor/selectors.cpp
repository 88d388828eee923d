#include "model/executor/selectors.h"

#include <algorithm>
#include <cstring>

#include "model/executor/row.h"

namespace tenure::executor {
namespace {

constexpr std::size_t kMaxRecorded = 8;

bool is_one_integer(const TensorSpec& spec) {
  return spec.shape.elements() == 1 && (spec.dtype == DType::kInt32 || spec.dtype == DType::kBool);
}

/// Returns, for each node of the block, true if it is one of `open` or one of these depends on it.
std::vector<bool> find_ancestors(const Block& block, std::vector<std::uint32_t> open) {
  std::vector<bool> is_met(block.nodes.size(), false);
  while (!open.empty()) {
    const std::uint32_t i = open.back();
    open.pop_back();
    if (is_met[i]) continue;
    is_met[i] = true;
    for (const Ref& input : block.nodes[i].inputs) {
      if (!input.is_absent()) open.push_back(input.node);
    }
  }
  return is_met;
}

}  // namespace

std::vector<std::size_t> Selectors::find(const Block& block, std::span<const Ref> inputs,
                                         std::span<const TensorSpec> specs,
                                         std::span<const std::uint32_t> deferred) {
  std::vector<std::uint32_t> conditions;
  for (const std::uint32_t i : deferred) {
    const Node& node = block.nodes[i];
    const Control control = node.row ? node.row->control : Control::kNone;
    const bool selects = control == Control::kIf || control == Control::kCase;
    if (selects && !node.inputs.empty() && !node.inputs[0].is_absent())
      conditions.push_back(node.inputs[0].node);
  }
  const std::vector<bool> is_condition = find_ancestors(block, std::move(conditions));
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (is_condition[inputs[i].node] && is_one_integer(specs[i])) found.push_back(i);
  }
  return found;
}

void Selectors::set(std::vector<std::size_t> inputs) {
  inputs_ = std::move(inputs);
  is_open_ = inputs_.empty();
}

void Selectors::ignore() {
  is_open_ = false;
  inputs_.clear();
  recorded_.clear();
}

Tensors Selectors::read(std::span<const Tensor> inputs) const {
  Tensors copies;
  for (const std::size_t i : inputs_) {
    if (i >= inputs.size() || !is_one_integer(inputs[i].spec()) || !inputs[i].has_data() ||
        !inputs[i].storage()->on_cpu())
      return {};
    Tensor copy(inputs[i].spec());
    std::memcpy(copy.mutable_data<std::byte>(), inputs[i].data<std::byte>(), copy.bytes());
    copies.push_back(std::move(copy));
  }
  return copies;
}

bool Selectors::record(std::span<const Tensor> inputs) {
  Tensors values = read(inputs);
  const auto is_same = [&](const Tensors& one) { return have_equal_values(one, values); };
  if (values.empty() || std::any_of(recorded_.begin(), recorded_.end(), is_same)) return true;
  if (recorded_.size() == kMaxRecorded) return false;
  recorded_.push_back(std::move(values));
  return true;
}

bool have_equal_values(std::span<const Tensor> some, std::span<const Tensor> others) {
  return std::equal(
      some.begin(), some.end(), others.begin(), others.end(), [](const Tensor& a, const Tensor& b) {
        return a.spec() == b.spec() && std::memcmp(a.data<std::byte>(), b.data<std::byte>(), a.bytes()) == 0;
      });
}

}  // namespace tenure::executor
