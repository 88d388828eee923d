// Quantized products, as onnxruntime's quantizer writes them, become one node: DynamicQuantizeLinear,
// MatMulInteger, Cast, Mul and Add; and MatMul, Gemm or Conv of two results of DequantizeLinear.

#include <optional>

#include "core/memory/narrow_integers.h"
#include "import/onnx/control.h"
#include "import/onnx/families.h"
#include "import/onnx/reader.h"
#include "ops/ops.h"

namespace tenure::onnx {
namespace {

/// The nodes of a block, and how many inputs read each.
class NodeReaders {
 public:
  explicit NodeReaders(const Block& block) : block_(block), counts_(block.nodes.size()) {
    for (const Node& node : block.nodes) {
      for (const Ref& input : node.inputs) {
        if (!input.is_absent()) ++counts_[input.node];
      }
    }
  }

  /// Returns the node that `ref` is output `output` of, if it has the row and inputs; else null.
  const Node* find(const Ref& ref, const Row* row, std::uint32_t output = 0) const {
    if (ref.is_absent() || ref.output != output) return nullptr;
    const Node& node = block_.nodes[ref.node];
    return node.row == row && !node.inputs.empty() ? &node : nullptr;
  }
  /// As find(), of a node that is read once.
  const Node* find_single(const Ref& ref, const Row* row) const {
    const Node* node = find(ref, row);
    return node && counts_[ref.node] == 1 ? node : nullptr;
  }

 private:
  const Block& block_;
  std::vector<std::uint32_t> counts_;
};

/// Calls f(one input, the other one) for both orders of a node's two inputs, until it returns a value.
template <class F>
auto in_either_order(const Node& node, const F& f) {
  auto result = f(node.inputs[0], node.inputs[1]);
  return result ? result : f(node.inputs[1], node.inputs[0]);
}

/// The inputs of a node that replaces others.
using FusedInputs = std::optional<std::vector<Ref>>;

class ProductFuser {
 public:
  explicit ProductFuser(Block& block) : block_(block), readers_(block) {}

  void run() {
    for (Node& node : block_.nodes) {
      if (node.inputs.size() < 2) continue;
      if (node.row == conv_) {
        if (FusedInputs inputs = match_dequantized(node, 0))
          replace(node, &kDequantizedConvRow, std::move(*inputs));
      }
      if (node.row == gemm_) fuse_gemm(node);
      if (node.inputs.size() != 2) continue;
      FusedInputs inputs;
      const Row* row = fused_;
      if (node.row == mul_) inputs = match_product(node);
      if (node.row == add_) inputs = match_bias(node);
      if (node.row == mat_mul_) {
        inputs = match_dequantized(node, 1);
        row = to_float_;
      }
      if (!inputs) continue;
      node.attrs = {};
      replace(node, row, std::move(*inputs));
    }
    for (Node& constant : added_) block_.nodes.push_back(std::move(constant));
  }

 private:
  static void replace(Node& node, const Row* row, std::vector<Ref> inputs) {
    node.op = row->op;
    node.row = row;
    node.inputs = std::move(inputs);
  }

  const Tensor* find_constant(const Ref& ref) const {
    if (ref.is_absent()) return nullptr;
    const Node& node = block_.nodes[ref.node];
    return node.role == NodeRole::kConstant ? &node.constant : nullptr;
  }

  /// Returns the DequantizeLinear node of 8-bit values that `ref` is, if its scale is constant; else null.
  /// The scale must be a scalar or, unless `axis` is negative, have a value for each position along this axis
  /// of values that are constant.
  const Node* find_dequantized(const Ref& ref, int axis) const {
    const Node* node = readers_.find(ref, dequantize_);
    if (!node) node = readers_.find(ref, contrib_dequantize_);
    if (!node || node->inputs.size() < 2 || node->attrs.has("block_size")) return nullptr;
    const std::span<const double> types = node->attrs.numbers(kInputTypes);
    const auto type = types.empty() ? ElementType::kUndefined : static_cast<ElementType>(types[0]);
    if (type != ElementType::kInt8 && type != ElementType::kUint8) return nullptr;
    const Tensor* scale = find_constant(node->inputs[1]);
    const Tensor* values = find_constant(node->inputs[0]);
    if (!scale) return nullptr;
    if (axis < 0) return scale->elements() == 1 ? node : nullptr;
    if (!values || values->rank() < 2) return nullptr;
    const std::int32_t given = node->attrs.integer("axis", 1);
    const bool is_axis = scale->rank() == 1 && (given < 0 ? given + values->rank() : given) == axis;
    return scale->elements() == 1 || is_axis ? node : nullptr;
  }

  /// Matches a product of DequantizeLinear(x) and DequantizeLinear(weights), with scales of the weights along
  /// `axis`. Returns the inputs of MatMulIntegerToFloat: both values, scales, and zero points, and the bias.
  FusedInputs match_dequantized(const Node& node, int axis) const {
    const Node* x = find_dequantized(node.inputs[0], -1);
    const Node* weights = find_dequantized(node.inputs[1], axis);
    if (!x || !weights) return {};
    // Groups of several channels take 1.1 to 1.3 times as long in integers.
    if (node.row == conv_ && node.attrs.integer("group", 1) != 1 &&
        find_constant(weights->inputs[0])->dim(1) != 1)
      return {};
    if (node.row != conv_ && find_constant(weights->inputs[0])->rank() != 2) return {};
    const auto zero = [](const Node& one) {
      return one.inputs.size() > 2 ? one.inputs[2] : Ref{Ref::kAbsent, 0};
    };
    const Ref bias = node.inputs.size() > 2 ? node.inputs[2] : Ref{Ref::kAbsent, 0};
    return std::vector<Ref>{x->inputs[0], weights->inputs[0], x->inputs[1], weights->inputs[1],
                            zero(*x),     zero(*weights),     bias};
  }

  void fuse_gemm(Node& node) {
    const Attributes& attrs = node.attrs;
    if (attrs.flag("transA") || attrs.number("alpha", 1) != 1 || attrs.number("beta", 1) != 1) return;
    const bool is_transposed = attrs.flag("transB");
    FusedInputs inputs = match_dequantized(node, is_transposed ? 0 : 1);
    if (!inputs) return;
    if (is_transposed) inputs->at(1) = add_transposed(inputs->at(1));
    node.attrs = {};
    replace(node, to_float_, std::move(*inputs));
  }

  /// Adds the transpose of a constant of 8 bits, which stays in 8 bits.
  Ref add_transposed(const Ref& weights) {
    const BackendGuard on_cpu(cpu_backend());
    Node node;
    node.name = text(block_.nodes[weights.node].name, " transposed");
    node.op = control::kConstantRow.op;
    node.row = &control::kConstantRow;
    node.role = NodeRole::kConstant;
    node.constant = NarrowIntegers::compress(transpose(*find_constant(weights), {Dims{1, 0}}));
    added_.push_back(std::move(node));
    return {static_cast<std::uint32_t>(block_.nodes.size() + added_.size() - 1), 0};
  }

  /// Matches Mul(Cast(MatMulInteger(quantized, b, zero, b_zero)), Mul(scale, b_scale)).
  FusedInputs match_product(const Node& mul) const {
    return in_either_order(mul, [&](const Ref& left, const Ref& right) -> FusedInputs {
      const Node* cast = readers_.find_single(left, cast_);
      const Node* scales = readers_.find(right, mul_);
      if (!cast || !scales || scales->inputs.size() != 2) return {};
      const Node* product = readers_.find_single(cast->inputs[0], product_);
      if (!product || product->inputs.size() < 3) return {};
      const Ref& quantized = product->inputs[0];
      const Node* quantize = readers_.find(quantized, quantize_);
      const Ref& zero = product->inputs[2];
      if (!quantize || zero.is_absent() || zero.node != quantized.node || zero.output != 2) return {};
      return in_either_order(*scales, [&](const Ref& scale, const Ref& b_scale) -> FusedInputs {
        if (scale.is_absent() || scale.node != quantized.node || scale.output != 1) return {};
        const Ref b_zero = product->inputs.size() > 3 ? product->inputs[3] : Ref{Ref::kAbsent, 0};
        return std::vector<Ref>{quantize->inputs[0], product->inputs[1], b_scale, b_zero};
      });
    });
  }

  /// Matches Add(DynamicQuantizeMatMul(...), bias) with a constant bias.
  FusedInputs match_bias(const Node& add) const {
    return in_either_order(add, [&](const Ref& left, const Ref& right) -> FusedInputs {
      const Node* product = readers_.find_single(left, fused_);
      if (!product || product->inputs.size() != 4 || right.is_absent()) return {};
      const Node& bias = block_.nodes[right.node];
      if (bias.role != NodeRole::kConstant || bias.constant.rank() != 1) return {};
      std::vector<Ref> inputs = product->inputs;
      inputs.push_back(right);
      return inputs;
    });
  }

  Block& block_;
  NodeReaders readers_;
  std::vector<Node> added_;  ///< constants, which get the next indices of the block
  const Row* add_ = find_row("", "Add");
  const Row* cast_ = find_row("", "Cast");
  const Row* mul_ = find_row("", "Mul");
  const Row* product_ = find_row("", "MatMulInteger");
  const Row* quantize_ = find_row("", "DynamicQuantizeLinear");
  const Row* conv_ = find_row("", "Conv");
  const Row* dequantize_ = find_row("", "DequantizeLinear");
  const Row* contrib_dequantize_ = find_row("com.microsoft", "DequantizeLinear");
  const Row* mat_mul_ = find_row("", "MatMul");
  const Row* gemm_ = find_row("", "Gemm");
  const Row* to_float_ = find_row("com.microsoft", "MatMulIntegerToFloat");
  const Row* fused_ = find_row("com.microsoft", "DynamicQuantizeMatMul");
};

}  // namespace

void fuse_quantized_products(Block& block) { ProductFuser(block).run(); }

}  // namespace tenure::onnx
