#pragma once

#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/run/recorder.h"
#include "model/graph/graph.h"

namespace tenure {

/// Builds a graph from the ops that run while it is the current tracer. Ops whose inputs are all concrete run
/// at once and leave only their result, a constant: that is all the constant folding there is.
class Tracer final : public Recorder {
 public:
  /// A new input of the graph.
  Tensor add_input(const TensorSpec& spec);
  /// Nodes recorded from here on belong to this layer.
  void set_layer(std::string_view name);
  void record(Op op, Inputs in, AttrsView attrs, const Tensor& out) override;
  /// Records a loop over these inputs; returns its vector.
  Tensor add_loop(Loop loop, std::span<const Tensor> inputs);
  /// The graph that computes `outputs`, each symbolic or concrete.
  Graph finish(std::span<const Tensor> outputs) &&;

 private:
  Node& add_node(Op op, Inputs in, AttrsView attrs, const TensorSpec& spec);
  ValueId value_of(const Tensor& tensor);

  Graph graph_;
  // The values of the graph by the numbers of their tensors, which ascend.
  std::vector<std::pair<ValueNumber, ValueId>> numbers_;
  // A weight that many nodes read becomes one constant for each shape that it is seen under.
  std::unordered_multimap<const Storage*, ValueId> constants_;
};

}  // namespace tenure
