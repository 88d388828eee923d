#include "model/tracer.h"

#include "core/error.h"

namespace tenure {

Tensor Tracer::add_input(const TensorSpec& spec) {
  const ValueId id = graph_.add_value(spec);
  graph_.inputs.push_back(id);
  return Tensor::symbolic(spec, id);
}

void Tracer::set_layer(std::string_view name) {
  if (graph_.layers.back() != name) graph_.layers.emplace_back(name);
}

ValueId Tracer::value_of(const Tensor& tensor) {
  if (!tensor) return kNoValue;
  if (!tensor.has_data()) {
    check(tensor.value() < graph_.values.size(), "a symbolic tensor of another graph was used");
    return tensor.value();
  }
  const auto [first, last] = constants_.equal_range(tensor.storage().get());
  for (auto it = first; it != last; ++it) {
    if (graph_.spec(it->second) == tensor.spec()) return it->second;
  }
  const ValueId id = graph_.add_constant(tensor);
  constants_.emplace(tensor.storage().get(), id);
  return id;
}

void Tracer::record(Op op, Inputs in, AttrsView attrs, Tensor& out) {
  Node node{op, {}, {attrs.words().begin(), attrs.words().end()}, graph_.add_value(out.spec()), 0};
  for (int i = 0; i < in.size(); ++i) node.inputs.push_back(value_of(in[i]));
  node.layer = static_cast<std::uint32_t>(graph_.layers.size() - 1);
  out.set_value(node.output);
  graph_.nodes.push_back(std::move(node));
}

Graph Tracer::finish(std::span<const Tensor> outputs) && {
  for (const Tensor& output : outputs) graph_.outputs.push_back(value_of(output));
  return std::move(graph_);
}

}  // namespace tenure
