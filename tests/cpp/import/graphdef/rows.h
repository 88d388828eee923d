#pragma once

#include <cstring>
#include <string>

#include "../../catch.h"
#include "graphs.h"

/// Helpers to test the rows of the table of TensorFlow ops.
namespace tenure::test {

/// Runs a node and returns its outputs. Its inputs are constants, which are folded, or inputs of the graph.
inline Tensors run_row(const std::string& op, const Tensors& inputs, const std::string& attrs,
                       std::size_t outputs, bool folded) {
  std::vector<GraphNode> nodes;
  std::vector<TestWeight> weights;
  GraphNode node = {"y", op, {}, attrs};
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    node.inputs.push_back(text("in", i));
    nodes.push_back(folded ? constant(node.inputs.back()) : placeholder(node.inputs.back()));
    if (folded) weights.push_back({node.inputs.back(), inputs[i]});
  }
  std::vector<std::string> wanted;
  for (std::size_t i = 0; i < outputs; ++i) wanted.push_back(text("y:", i));
  const std::vector<std::string> given = folded ? std::vector<std::string>() : node.inputs;
  nodes.push_back(std::move(node));
  GraphModel model = load_graph(nodes, weights);
  return run_graph(model, given, wanted, folded ? Tensors() : inputs);
}

/// True if dtype, shape and bytes are equal. float32 elements may differ by 1e-5.
inline bool is_same(const Tensor& got, const Tensor& expected) {
  if (got.spec() != expected.spec()) return false;
  if (got.dtype() == DType::kFloat32) return difference(got, expected) <= 1e-5F;
  return std::memcmp(got.data<char>(), expected.data<char>(), got.bytes()) == 0;
}

/// Runs a node with folded inputs and with inputs of the graph, and compares all outputs.
inline void check_row(const std::string& op, const Tensors& inputs, const Tensors& expected,
                      const std::string& attrs = "") {
  INFO(op);
  for (const bool folded : {false, true}) {
    INFO((folded ? "folded" : "given"));
    const Tensors got = run_row(op, inputs, attrs, expected.size(), folded);
    REQUIRE(got.size() == expected.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
      INFO(text(got[i].shape(), " for ", expected[i].shape()));
      CHECK(is_same(got[i], expected[i]));
    }
  }
}

inline Tensor vector(std::initializer_list<float> values) {
  return Tensor::from(values, {static_cast<std::int32_t>(values.size())});
}
inline Tensor vector(std::initializer_list<std::int32_t> values) {
  return Tensor::from(values, {static_cast<std::int32_t>(values.size())});
}
inline Tensor truths(std::initializer_list<bool> values) {
  return Tensor::from<bool>(values, {static_cast<std::int32_t>(values.size())});
}

}  // namespace tenure::test
