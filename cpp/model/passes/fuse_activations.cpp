#include "core/activation.h"
#include "model/passes/absorb.h"
#include "model/passes/passes.h"

namespace tenure::passes {
namespace {

/// An activation of the value `input`, which it reads `readers` times.
struct Match {
  ValueId input = kNoValue;
  Activation activation = Activation::kLinear;
  float alpha = 0;
  int readers = 1;
};

bool is_scalar(const Graph& graph, ValueId id, float value) {
  if (!graph.is_constant(id)) return false;
  const Tensor& x = graph.constant(id);
  return x.dtype() == DType::kFloat32 && x.elements() == 1 && x.data<float>()[0] == value;
}

/// Returns x if `node` is op(x, value) with a scalar constant `value`, otherwise kNoValue.
ValueId operand_beside(const Graph& graph, const Node* node, Op op, float value) {
  if (!node || node->op != op || !is_scalar(graph, node->inputs[1], value)) return kNoValue;
  return node->inputs[0];
}

/// Matches clip(0.2 x + 0.5, 0, 1).
Match match_hard_sigmoid(const Graph& graph, const Absorber& absorber, const Node& node) {
  const ValueId sum = node.inputs[0];
  const ValueId product = operand_beside(graph, absorber.producer_of(sum), Op::add, 0.5F);
  if (product == kNoValue || !absorber.is_read_once(sum) || !absorber.is_read_once(product)) return {};
  return {operand_beside(graph, absorber.producer_of(product), Op::mul, 0.2F), Activation::kHardSigmoid};
}

Match match_clip(const Graph& graph, const Absorber& absorber, const Node& node) {
  const ClipAttrs attrs = node.attrs_as<ClipAttrs>();
  if (attrs.min == 0 && attrs.max == 6) return {node.inputs[0], Activation::kRelu6};
  return attrs.min == 0 && attrs.max == 1 ? match_hard_sigmoid(graph, absorber, node) : Match{};
}

/// Matches x * sigmoid(x).
Match match_swish(const Absorber& absorber, const Node& node) {
  for (std::size_t i = 0; i < 2; ++i) {
    const ValueId x = node.inputs[i];
    const ValueId gate = node.inputs[1 - i];
    const Node* sigmoid = absorber.producer_of(gate);
    if (sigmoid && sigmoid->op == Op::sigmoid && sigmoid->inputs[0] == x && absorber.is_read_once(gate)) {
      return {x, Activation::kSwish, 0, 2};
    }
  }
  return {};
}

Match match(const Graph& graph, const Absorber& absorber, const Node& node) {
  if (node.op == Op::clip_by_value) return match_clip(graph, absorber, node);
  if (node.op == Op::mul) return match_swish(absorber, node);
  const Activation activation = tenure::activation_of(node.op);
  if (activation == Activation::kLinear) return {};
  const float alpha = activation_def(activation).has_alpha ? node.attrs_as<AlphaAttrs>().alpha : 0;
  // An elu with alpha 0 cannot be fused: in another op's attributes, alpha 0 means the default of 1.
  if (alpha_of(activation, alpha) != alpha) return {};
  return {node.inputs[0], activation, alpha};
}

}  // namespace

void fuse_activations(Graph& graph) {
  Absorber absorber(graph);
  for (const Node& node : graph.nodes) {
    const Match found = match(graph, absorber, node);
    if (found.input == kNoValue) continue;
    Node* producer = absorber.find_producer(found.input, found.readers);
    if (!producer) continue;
    set_activation(*producer, found.activation, found.alpha);
    absorber.absorb(*producer, node);
  }
  absorber.finish();
}

}  // namespace tenure::passes
