#include "model/graph/tracer.h"

#include <algorithm>

#include "core/error.h"

namespace tenure {

Tensor GraphTracer::add_input(const TensorSpec& spec) {
  const ValueId id = graph_.add_value(spec);
  graph_.inputs.push_back(id);
  const Tensor input = Tensor::symbolic(spec, next_trace_id());
  value_ids_.emplace_back(input.value(), id);
  return input;
}

void GraphTracer::set_layer(std::string_view name) {
  if (graph_.layers.back() != name) graph_.layers.emplace_back(name);
}

ValueId GraphTracer::find_or_add_value(const Tensor& tensor) {
  if (!tensor) return kNoValue;
  if (!tensor.has_data()) {
    const auto at =
        std::lower_bound(value_ids_.begin(), value_ids_.end(), std::pair(tensor.value(), kNoValue));
    check(at != value_ids_.end() && at->first == tensor.value(),
          "a symbolic tensor of another graph was used");
    return at->second;
  }
  const auto [first, last] = constants_.equal_range(tensor.storage().get());
  for (auto it = first; it != last; ++it) {
    if (graph_.spec(it->second) == tensor.spec()) return it->second;
  }
  const ValueId id = graph_.add_constant(tensor);
  constants_.emplace(tensor.storage().get(), id);
  return id;
}

GraphNode& GraphTracer::add_node(Op op, Inputs in, AttrsView attrs, const TensorSpec& spec) {
  GraphNode node{op, {}, {attrs.words().begin(), attrs.words().end()}, graph_.add_value(spec), 0};
  for (int i = 0; i < in.size(); ++i) node.inputs.push_back(find_or_add_value(in[i]));
  node.layer = static_cast<std::uint32_t>(graph_.layers.size() - 1);
  graph_.nodes.push_back(std::move(node));
  return graph_.nodes.back();
}

void GraphTracer::record(Op op, Inputs in, AttrsView attrs, const Tensor& out) {
  value_ids_.emplace_back(out.value(), add_node(op, in, attrs, out.spec()).output);
}

Tensor GraphTracer::add_loop(RecurrentLoop loop, std::span<const Tensor> inputs) {
  const Graph& body = loop.body;
  std::size_t total = 0;
  for (std::size_t i = 0; i < body.outputs.size(); ++i) {
    const std::size_t repeats = i == 0 && loop.all ? static_cast<std::size_t>(loop.steps) : 1;
    total += repeats * body.spec(body.outputs[i]).shape.elements();
  }
  check_shape(total <= INT32_MAX, "a loop of ", loop.steps, " steps would give ", total, " elements");
  const TensorSpec spec{{static_cast<std::int32_t>(total)}, DType::kFloat32};
  GraphNode& node = add_node(Op::concat, TensorList(inputs), AttrsView(AxisAttrs{}), spec);
  node.loop = std::make_shared<const RecurrentLoop>(std::move(loop));
  const Tensor out = Tensor::symbolic(spec, next_trace_id());
  value_ids_.emplace_back(out.value(), node.output);
  return out;
}

Graph GraphTracer::finish(std::span<const Tensor> outputs) && {
  for (const Tensor& output : outputs) graph_.outputs.push_back(find_or_add_value(output));
  return std::move(graph_);
}

}  // namespace tenure
