#include "model/passes/passes.h"
#include "ops/ops.h"
#include "shape_util/conv.h"

namespace tenure::passes {
namespace {

// Kernels compute 8 output channels at a time: with fewer, part of their work is wasted.
constexpr std::int32_t kMaxChannels = 7;

/// True if the windows of a transposed convolution tile its output: each output has one input and one tap.
bool is_tiling(const WindowAxis& axis) {
  return axis.window == axis.stride && axis.dilation == 1 && axis.pad_before == 0 &&
         axis.in == axis.out * axis.stride;
}

class Unroller {
 public:
  explicit Unroller(Graph& graph) : graph_(graph) {}

  void run() {
    for (GraphNode& node : graph_.nodes) {
      if (!try_unroll(node)) nodes_.push_back(std::move(node));
    }
    graph_.nodes = std::move(nodes_);
  }

 private:
  bool try_unroll(const GraphNode& node) {
    if (node.op != Op::conv2d_transpose || !graph_.is_constant(node.inputs[1])) return false;
    const Tensor filter = graph_.constant(node.inputs[1]);
    const TensorSpec x = graph_.spec(node.inputs[0]);
    const ConvGeometry g =
        conv2d_transpose_geometry(x.shape, filter.shape(), node.attrs_as<ConvTransposeAttrs>());
    // `g` describes the ordinary convolution, whose input channels are the output channels here.
    const std::int32_t channels = g.in_channels;
    if (!is_tiling(g.h) || !is_tiling(g.w) || channels > kMaxChannels) return false;
    const std::int32_t taps = g.h.window * g.w.window;
    const ValueId products = graph_.add_constant(
        reshape(transpose(filter, {Dims{3, 0, 1, 2}}), {{1, 1, g.out_channels, taps * channels}}));
    filter.storage()->evict();
    const ValueId tiles = add_node(node, Op::conv2d, {node.inputs[0], products}, AttrsView(ConvAttrs{}),
                                   {g.batch, g.h.out, g.w.out, taps * channels});
    const Shape split = {g.batch * g.h.out, g.w.out, g.h.window, g.w.window * channels};
    const ValueId rows = add_node(node, Op::reshape, {tiles}, AttrsView(ToShapeAttrs{split}), split);
    const ValueId turned =
        add_node(node, Op::transpose, {rows}, AttrsView(PermutationAttrs{Dims{0, 2, 1, 3}}),
                 {split[0], split[2], split[1], split[3]});
    const Shape whole = graph_.spec(node.output).shape;
    add_node(node, Op::reshape, {turned}, AttrsView(ToShapeAttrs{whole}), whole, node.output);
    return true;
  }

  ValueId add_node(const GraphNode& replaced, Op op, std::vector<ValueId> inputs, AttrsView attrs,
                   const Shape& shape, ValueId output = kNoValue) {
    if (output == kNoValue) output = graph_.add_value({shape, DType::kFloat32});
    nodes_.push_back(
        {op, std::move(inputs), {attrs.words().begin(), attrs.words().end()}, output, replaced.layer});
    return output;
  }

  Graph& graph_;
  std::vector<GraphNode> nodes_;
};

}  // namespace

void unroll_transposed_convs(Graph& graph) { Unroller(graph).run(); }

}  // namespace tenure::passes
