// Values that a plan stores as bytes between convolutions of integers.

#include <cmath>

#include "model/plan/plan_builder.h"

namespace tenure {
namespace {

/// True if bytes hold the results of a convolution of integers, and 0, with which others pad them.
bool fits_bytes(const GraphNode& node) {
  constexpr float kMaxDistance = 255;
  if (node.inputs.size() <= 3 || node.inputs[3] == kNoValue) return false;
  const auto attrs = node.attrs_as<IntegerConvAttrs>();
  return attrs.low <= 0 && attrs.high >= 0 && attrs.high - attrs.low <= kMaxDistance &&
         std::floor(attrs.low) == attrs.low && std::floor(attrs.high) == attrs.high;
}

}  // namespace

/// Lets convolutions of integers store results that only such convolutions read as bytes.
void PlanBuilder::store_integers_as_bytes() {
  // The arena's blocks have four bytes for each element. Those of smaller values have no place for the
  // header.
  constexpr std::size_t kMinElements = 16;
  const auto find_id = [&](std::uint32_t pointer) {
    return static_cast<std::size_t>(plan_.pointers_[pointer] - plan_.tensors_.data());
  };
  const auto is_convolution = [](const Plan::Step& step) {
    return step.op == Op::conv2d_integer && step.kernel;
  };
  for (const Plan::Step& step : plan_.steps_) {
    if (is_convolution(step))
      holds_bytes_[step.output] = graph_.spec(step.output).shape.elements() >= kMinElements;
  }
  for (const GraphNode& node : graph_.nodes) {
    if (holds_bytes_[node.output]) holds_bytes_[node.output] = fits_bytes(node);
  }
  for (const ValueId output : graph_.outputs) holds_bytes_[views_[output].base] = false;
  for (ValueId id = 1; id < views_.size(); ++id) {
    if (views_[id].base != id) holds_bytes_[views_[id].base] = false;
  }
  for (const Plan::Step& step : plan_.steps_) {
    const std::uint32_t first = is_convolution(step) ? 1 : 0;
    for (std::uint32_t i = first; i < step.input_count; ++i)
      holds_bytes_[find_id(step.first_input + i)] = false;
  }
}

}  // namespace tenure
