#pragma once

#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/run/tracer.h"
#include "model/graph/graph.h"

namespace tenure {

/// Builder of a graph from the ops that run while it is the current tracer. Ops with only concrete inputs run
/// eagerly and their results become constants; there is no other constant folding.
class GraphTracer final : public Tracer {
 public:
  /// Adds an input to the graph and returns its symbolic tensor.
  Tensor add_input(const TensorSpec& spec);
  /// Sets the layer of the nodes that are recorded after this call.
  void set_layer(std::string_view name);
  void record(Op op, Inputs in, AttrsView attrs, const Tensor& out) override;
  /// Records a loop over `inputs` and returns its output vector. Throws Error(kShape) if that has more than
  /// INT32_MAX elements.
  Tensor add_loop(RecurrentLoop loop, std::span<const Tensor> inputs);
  /// Returns the graph that computes `outputs`, each symbolic or concrete. Consumes the tracer.
  Graph finish(std::span<const Tensor> outputs) &&;

 private:
  GraphNode& add_node(Op op, Inputs in, AttrsView attrs, const TensorSpec& spec);
  ValueId find_or_add_value(const Tensor& tensor);

  Graph graph_;
  // Pairs of a tensor's number and its value, sorted, because numbers ascend.
  std::vector<std::pair<TraceId, ValueId>> value_ids_;
  // Constants by storage: a weight that many nodes read becomes one constant for each spec it is read with.
  std::unordered_multimap<const Storage*, ValueId> constants_;
};

}  // namespace tenure
