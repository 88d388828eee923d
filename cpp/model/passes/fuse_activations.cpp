#include "core/activation.h"
#include "model/passes/fuser.h"
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

// Only constants on the CPU: a weight that was trained on a device may not be readable at once.
bool is_scalar(const Graph& graph, ValueId id, float value) {
  if (!graph.is_constant(id)) return false;
  const Tensor& x = graph.constant(id);
  return x.dtype() == DType::kFloat32 && x.elements() == 1 && x.storage()->on_cpu() &&
         x.data<float>()[0] == value;
}

/// Returns x if `node` is op(x, value) with a scalar constant `value`, otherwise kNoValue.
ValueId match_scalar_operand(const Graph& graph, const GraphNode* node, Op op, float value) {
  if (!node || node->op != op || !is_scalar(graph, node->inputs[1], value)) return kNoValue;
  return node->inputs[0];
}

/// Matches clip(0.2 x + 0.5, 0, 1).
Match match_hard_sigmoid(const Graph& graph, const Fuser& fuser, const GraphNode& node) {
  const ValueId sum = node.inputs[0];
  const ValueId product = match_scalar_operand(graph, fuser.get_producer(sum), Op::add, 0.5F);
  if (product == kNoValue || !fuser.is_read_once(sum) || !fuser.is_read_once(product)) return {};
  return {match_scalar_operand(graph, fuser.get_producer(product), Op::mul, 0.2F), Activation::kHardSigmoid};
}

Match match_clip(const Graph& graph, const Fuser& fuser, const GraphNode& node) {
  const ClipAttrs attrs = node.attrs_as<ClipAttrs>();
  if (attrs.min == 0 && attrs.max == 6) return {node.inputs[0], Activation::kRelu6};
  return attrs.min == 0 && attrs.max == 1 ? match_hard_sigmoid(graph, fuser, node) : Match{};
}

/// Matches x * sigmoid(x).
Match match_swish(const Fuser& fuser, const GraphNode& node) {
  for (std::size_t i = 0; i < 2; ++i) {
    const ValueId x = node.inputs[i];
    const ValueId gate = node.inputs[1 - i];
    const GraphNode* sigmoid = fuser.get_producer(gate);
    if (sigmoid && sigmoid->op == Op::sigmoid && sigmoid->inputs[0] == x && fuser.is_read_once(gate)) {
      return {x, Activation::kSwish, 0, 2};
    }
  }
  return {};
}

Match match(const Graph& graph, const Fuser& fuser, const GraphNode& node) {
  if (node.op == Op::clip_by_value) return match_clip(graph, fuser, node);
  if (node.op == Op::mul) return match_swish(fuser, node);
  const Activation activation = tenure::get_activation(node.op);
  if (activation == Activation::kLinear) return {};
  const float alpha = activation_def(activation).has_alpha ? node.attrs_as<AlphaAttrs>().alpha : 0;
  // An elu with alpha 0 cannot be fused: in another op's attributes, alpha 0 means the default of 1.
  if (get_fused_alpha(activation, alpha) != alpha) return {};
  return {node.inputs[0], activation, alpha};
}

}  // namespace

void fuse_activations(Graph& graph) {
  Fuser fuser(graph);
  for (const GraphNode& node : graph.nodes) {
    const Match found = match(graph, fuser, node);
    if (found.input == kNoValue) continue;
    GraphNode* producer = fuser.find_producer(found.input, found.readers);
    if (!producer) continue;
    set_activation(*producer, found.activation, found.alpha);
    fuser.absorb(*producer, node);
  }
  fuser.finish();
}

}  // namespace tenure::passes
