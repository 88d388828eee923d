// FlexAttention of ai.onnx.preview. Its graphs "score_mod" and "prob_mod" become nodes of the graph around
// it.

#include <cmath>

#include "core/error.h"
#include "import/onnx/attributes.h"
#include "import/onnx/reader.h"
#include "ops/ops.h"

namespace tenure::onnx {
namespace {

/// Returns [batch, heads, length, size] with the heads that share one of `shared` as rows of one matrix.
Tensor group_heads(const Tensor& x, const Tensor& shared) {
  check_shape(x.rank() == 4 && shared.rank() == 4 && shared.dim(1) > 0 && x.dim(1) % shared.dim(1) == 0,
              "heads of ", x.shape(), " cannot share those of ", shared.shape());
  // Extents of an empty tensor may have any product.
  Shape{x.dim(1), x.dim(2)}.validate();
  return reshape(x, {Shape{x.dim(0), shared.dim(1), x.dim(1) / shared.dim(1) * x.dim(2), x.dim(3)}});
}

/// Multiplies each head of `x` by the one of `shared` that belongs to it.
Tensor multiply_heads(const Tensor& x, const Tensor& shared, bool is_transposed) {
  const Tensor product = mat_mul(group_heads(x, shared), shared, {.transpose_b = is_transposed});
  return reshape(product, {Shape{x.dim(0), x.dim(1), x.dim(2), product.dim(3)}});
}

Tensor get_scores(const Call& call) {
  const Tensor& queries = call[0];
  check_shape(queries.rank() == 4, "expected queries of rank 4, got ", queries.shape());
  const double otherwise = 1 / std::sqrt(static_cast<double>(queries.dim(3)));
  const auto scale = static_cast<float>(call.attrs().number("scale", otherwise));
  return multiply_heads(mul(queries, Tensor::scalar(scale)), call[1], true);
}
Tensor get_weights(const Call& call) { return softmax(call[0]); }
Tensor get_output(const Call& call) { return multiply_heads(call[0], call[1], false); }

constexpr Row kScoresRow{"FlexAttention", get_scores};
constexpr Row kWeightsRow{"FlexAttention", get_weights};
constexpr Row kOutputRow{"FlexAttention", get_output};

}  // namespace

Ref GraphReader::inline_graph(NameScope& scope, const NodeProto& proto, std::string_view name, Ref value) {
  if (!find_attribute(proto.attributes, name)) return value;
  const GraphProto& graph = find_graph(proto, name);
  check(graph.inputs.size() == 1 && graph.outputs.size() == 1, "its graph \"", name, "\" has ",
        graph.inputs.size(), " inputs and ", graph.outputs.size(), " outputs");
  name_value(scope, graph.inputs[0].name, value);
  read_initializers(scope, graph.initializers);
  read_nodes(scope, graph.nodes);
  const Ref result = find_output(scope, graph.outputs[0].name);
  // Other graphs may have the same names.
  const auto forget = [&](std::string_view inner) {
    scope.values.erase(std::string(inner));
    scope.types.erase(std::string(inner));
  };
  forget(graph.inputs[0].name);
  for (const TensorProto& tensor : graph.initializers) forget(tensor.name);
  for (const NodeProto& node : graph.nodes) {
    for (const std::string_view output : node.outputs) forget(output);
  }
  return result;
}

void GraphReader::read_flex_attention(NameScope& scope, const NodeProto& proto) {
  check(proto.inputs.size() == 3 && proto.outputs.size() == 1, "it has ", proto.inputs.size(), " inputs and ",
        proto.outputs.size(), " outputs");
  Attributes attrs;
  NodeProto scores;
  if (const AttributeProto* scale = find_attribute(proto.attributes, "scale"))
    scores.attributes.push_back(*scale);
  for (const AttributeProto* scale : resolve_attributes(scope, scores)) {
    // The attribute of a function may have another name.
    Attributes::Value value = to_attribute(*scale, options_.files);
    value.name = "scale";
    attrs.add(std::move(value));
  }
  Ref value = add_internal(scope, proto, kScoresRow,
                           {find_input(scope, proto, 0), find_input(scope, proto, 1)}, std::move(attrs));
  value = inline_graph(scope, proto, "score_mod", value);
  value = add_internal(scope, proto, kWeightsRow, {value});
  value = inline_graph(scope, proto, "prob_mod", value);
  name_value(scope, proto.outputs[0],
             add_internal(scope, proto, kOutputRow, {value, find_input(scope, proto, 2)}));
}

}  // namespace tenure::onnx
