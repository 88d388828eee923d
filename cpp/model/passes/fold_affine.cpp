#include "core/memory/scaled_weight.h"
#include "model/passes/fuser.h"
#include "model/passes/passes.h"
#include "ops/ops.h"

namespace tenure::passes {
namespace {

/// The function y = x * scale + shift of each channel. Either tensor may be missing.
struct Affine {
  Tensor scale;
  Tensor shift;
};

/// Returns a float32 constant as a vector of `channels` elements, or an empty tensor if the value is not a
/// constant scalar or a constant with one element for each channel.
Tensor per_channel(const Graph& graph, ValueId id, std::int32_t channels) {
  if (!graph.is_constant(id)) return {};
  const Tensor& x = graph.constant(id);
  if (x.dtype() != DType::kFloat32) return {};
  const auto count = static_cast<std::size_t>(channels);
  if (x.elements() == 1) return add(fill({.shape = {channels}}), reshape(x, {{1}}));
  return x.elements() == count && x.shape().back() == channels ? reshape(x, {{channels}}) : Tensor();
}

Affine batch_norm_affine(const Graph& graph, const GraphNode& node, std::int32_t channels) {
  const auto input = [&](std::size_t i) {
    return i < node.inputs.size() ? per_channel(graph, node.inputs[i], channels) : Tensor();
  };
  const Tensor mean = input(1);
  const Tensor variance = input(2);
  const Tensor offset = input(3);
  const Tensor scale = input(4);
  for (std::size_t i = 1; i < node.inputs.size(); ++i) {
    if (node.inputs[i] != kNoValue && !input(i)) return {};
  }
  const Tensor root = rsqrt(add(variance, Tensor::scalar(node.attrs_as<BatchNormAttrs>().epsilon)));
  const Tensor factor = scale ? mul(root, scale) : root;
  const Tensor moved = mul(mean, factor);
  return {factor, offset ? sub(offset, moved) : neg(moved)};
}

// The noinline functions keep the loop of fold_affine() small: a JIT compiler would take a longer one for
// hot, and compile it while kernels wait to be compiled.

/// Returns the affine function that a node applies to its input number `x`, or one without scale and shift if
/// the node is not affine.
[[gnu::noinline]] Affine find_affine(const Graph& graph, const GraphNode& node, std::size_t x) {
  const Shape& shape = graph.spec(node.output).shape;
  if (shape.empty() || shape != graph.spec(node.inputs[x]).shape) return {};
  const std::int32_t channels = shape.back();
  if (node.op == Op::batch_norm) return x == 0 ? batch_norm_affine(graph, node, channels) : Affine{};
  if (node.op != Op::mul && node.op != Op::add && (node.op != Op::sub || x != 0)) return {};
  const Tensor constant = per_channel(graph, node.inputs[1 - x], channels);
  if (!constant) return {};
  if (node.op == Op::mul) return {constant, {}};
  return {{}, node.op == Op::sub ? neg(constant) : constant};
}

// Smaller filters, and those of shorter sums, are scaled at once. Scaling the sums instead (ScaledWeight)
// costs a hundredth of the time of sums of kLongSum products.
constexpr std::size_t kLargeFilter = 1 << 16;
constexpr std::size_t kLongSum = 256;

/// Returns the filter with its output channels scaled.
Tensor scale_filter(const GraphNode& node, const Tensor& filter, const Tensor& scale) {
  if (node.op == Op::depthwise_conv2d) return mul(filter, reshape(scale, {{filter.dim(2), filter.dim(3)}}));
  const bool by_rows = node.op == Op::mat_mul && node.attrs_as<MatMulAttrs>().transpose_b;
  const Tensor factors = by_rows ? reshape(scale, {{scale.dim(0), 1}}) : scale;
  if (filter.elements() < kLargeFilter || filter.elements() < kLongSum * scale.elements())
    return mul(filter, factors);
  if (const auto* scaled = filter.storage()->packed_as<ScaledWeight>())
    return ScaledWeight::make(scaled->weight(), mul(scaled->scale(), factors));
  return ScaledWeight::make(filter, factors);
}

/// Changes the filter and bias of `producer` so that it applies the affine function to its result. Returns
/// false if they are not constants.
[[gnu::noinline]] bool apply(Graph& graph, GraphNode& producer, const Affine& affine) {
  const std::int32_t channels = graph.spec(producer.output).shape.back();
  const bool has_bias = producer.inputs.size() > 2 && producer.inputs[2] != kNoValue;
  Tensor bias = has_bias ? per_channel(graph, producer.inputs[2], channels) : Tensor();
  if (has_bias && !bias) return false;
  if (affine.scale) {
    if (!graph.is_constant(producer.inputs[1])) return false;
    const Tensor filter = graph.constant(producer.inputs[1]);
    // A product reads such a filter as it is.
    if (producer.op == Op::mat_mul && filter.storage()->stays_packed()) return false;
    producer.inputs[1] = graph.add_constant(scale_filter(producer, filter, affine.scale));
    filter.storage()->evict();
    if (bias) bias = mul(bias, affine.scale);
  }
  if (affine.shift) bias = bias ? add(bias, affine.shift) : affine.shift;
  producer.inputs.resize(3, kNoValue);
  if (bias) producer.inputs[2] = graph.add_constant(bias);
  return true;
}

}  // namespace

void fold_affine(Graph& graph) {
  Fuser fuser(graph);
  for (const GraphNode& node : graph.nodes) {
    if (op_def(node.op).kind != OpKind::kBinary && node.op != Op::batch_norm) continue;
    for (std::size_t x = 0; x < 2; ++x) {
      GraphNode* producer = fuser.find_producer(node.inputs[x]);
      if (!producer) continue;
      const Affine affine = find_affine(graph, node, x);
      if ((affine.scale || affine.shift) && apply(graph, *producer, affine)) {
        fuser.absorb(*producer, node);
        break;
      }
    }
  }
  fuser.finish();
}

}  // namespace tenure::passes
