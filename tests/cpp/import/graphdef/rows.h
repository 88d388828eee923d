#pragma once

#include <cstring>
#include <string>

#include "../../catch.h"
#include "graphs.h"

/// Rows of the table of TensorFlow's ops, each against what it is to compute.
namespace tenure::test {

/// What a node of some inputs gives: they are constants, which are folded, or come when the graph runs.
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

/// The same type, shape and bytes; floats may be off by rounding.
inline bool is_same(const Tensor& got, const Tensor& expected) {
  if (got.spec() != expected.spec()) return false;
  if (got.dtype() == DType::kFloat32) return difference(got, expected) <= 1e-5F;
  return std::memcmp(got.data<char>(), expected.data<char>(), got.bytes()) == 0;
}

/// Runs a node with its inputs folded and not, and compares all that it gives.
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
