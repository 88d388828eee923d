#include <algorithm>
#include <optional>

#include "core/activation.h"
#include "core/run/op_traits.h"
#include "cpu/elementwise/chain.h"
#include "cpu/gemm/packed_kernels.h"

namespace tenure::cpu {
namespace {

// True if an op of the chain, from `first` on, reads the result of op `producer`; -1 is the chain's head.
bool is_read(std::span<const ChainOp> ops, std::size_t first, int producer) {
  for (std::size_t i = first; i < ops.size(); ++i) {
    for (const int operand : ops[i].operands) {
      if (operand < 0 && static_cast<int>(i) + operand == producer) return true;
    }
  }
  return false;
}

// The post-ops that a convolution computes itself: the addition of an input to its products, and a clamp or a
// PReLU of the sums.
struct FusablePostOps {
  int input = -1;   // chain input that is added; -1 for none
  int slopes = -1;  // chain input with the PReLU slopes, one per channel; -1 for none
  std::size_t ops = 0;
  Activation activation = Activation::kLinear;

  FusablePostOps(const Producer& head, std::span<const ChainOp> chain) {
    if (op_traits(head.op).post_ops != PostOpSupport::kInRegisters ||
        head.attrs.as<ConvAttrs>().activation != Activation::kLinear)
      return;
    const auto [low, high] = std::minmax(chain[0].operands[0], chain[0].operands[1]);
    if (op_traits(chain[0].op).epilogue == EpilogueRole::kResidual && low == -1 && high >= 0 &&
        !is_read(chain, 1, -1)) {
      input = high;
      ops = 1;
    }
    const int before = static_cast<int>(ops) - 1;
    if (chain.size() == ops || is_read(chain, ops + 1, before)) return;
    const ChainOp& next = chain[ops];
    if (op_traits(next.op).epilogue == EpilogueRole::kChannelSlopes && next.operands[0] == -1 &&
        next.operands[1] >= 0) {
      slopes = next.operands[1];
      ++ops;
    } else if (ops > 0 && is_clamp(get_activation(next.op)) &&
               get_activation(next.op) != Activation::kLinear) {
      activation = get_activation(next.op);
      ++ops;
    }
  }
};

class FusedConvKernel final : public PreparedKernel {
 public:
  FusedConvKernel(const Producer& head, std::span<const ChainOp> ops, Chain chain)
      : head_(head),
        attrs_(head.attrs.words().begin(), head.attrs.words().end()),
        chain_(std::move(chain)),
        post_ops_(head, ops),
        can_donate_residual_(reads_residual_once(head, ops)) {
    head_.attrs = AttrsView(std::span<const std::int32_t>(attrs_));
    if (post_ops_.ops < ops.size()) remaining_chain_.emplace(ops.subspan(post_ops_.ops));
  }

  void run(const KernelArgs& args) const override {
    std::vector<const Tensor*> inputs;
    inputs.reserve(kSlopes + 1);
    for (std::size_t i = 0; i < head_.inputs; ++i) inputs.push_back(&args.in[static_cast<int>(i)]);
    const auto elements = [&](int input) { return args.in[input].elements(); };
    if (post_ops_.ops == 0 || (post_ops_.input >= 0 && elements(post_ops_.input) != args.out.elements()) ||
        (post_ops_.slopes >= 0 && elements(post_ops_.slopes) != static_cast<std::size_t>(head_.filter[3]))) {
      return run_head(args, inputs, head_.attrs, &chain_);
    }
    const Tensor none;
    inputs.resize(kSlopes + 1, &none);
    if (post_ops_.input >= 0) inputs[kResidual] = &args.in[post_ops_.input];
    if (post_ops_.slopes >= 0) inputs[kSlopes] = &args.in[post_ops_.slopes];
    auto attrs = head_.attrs.as<ConvAttrs>();
    attrs.activation = post_ops_.activation;
    run_head(args, inputs, AttrsView(attrs), remaining_chain_ ? &*remaining_chain_ : nullptr);
  }
  std::size_t bytes() const override { return 0; }
  bool can_donate(std::size_t input) const override {
    return can_donate_residual_ && static_cast<int>(input) == post_ops_.input;
  }
  bool reads(std::size_t input) const override {
    return !head_.prepared || input >= head_.inputs || head_.prepared->reads(input);
  }

 private:
  // True if the residual is read only when sums are stored for the first time, and never again.
  bool reads_residual_once(const Producer& head, std::span<const ChainOp> ops) const {
    if (post_ops_.input < static_cast<int>(head.inputs)) return false;
    for (const ChainOp& op : ops.subspan(1)) {
      if (std::ranges::find(op.operands, post_ops_.input) != op.operands.end()) return false;
    }
    if (head.prepared) return head.prepared->can_donate_residual();
    const Shape& filter = head.filter;
    const auto columns = static_cast<std::size_t>(filter[3]);
    return head.x[3] == filter[2] && gemm::fits_one_k_block(filter[0] * filter[1] * filter[2], columns);
  }

  void run_head(const KernelArgs& args, std::span<const Tensor* const> inputs, AttrsView attrs,
                const Chain* chain) const {
    const KernelArgs own = {Inputs(inputs), attrs, args.out};
    std::optional<BoundChain> post_op;
    if (chain) post_op.emplace(*chain, args.in, args.out);
    const PostOp* follower = post_op ? &*post_op : nullptr;
    if (head_.prepared) {
      follower ? head_.prepared->run_with_post_op(own, *follower) : head_.prepared->run(own);
    } else {
      head_.op == Op::conv2d ? conv2d_with_post_op(own, follower)
                             : depthwise_conv2d_with_post_op(own, follower);
    }
  }

  Producer head_;
  std::vector<std::int32_t> attrs_;
  Chain chain_;
  FusablePostOps post_ops_;
  bool can_donate_residual_;
  std::optional<Chain> remaining_chain_;  // post-ops that the convolution does not compute
};

}  // namespace

std::unique_ptr<PreparedKernel> fuse_into_producer(const Producer& head, std::span<const ChainOp> chain) {
  Chain fused(chain);
  return fused.is_fusable() ? std::make_unique<FusedConvKernel>(head, chain, std::move(fused)) : nullptr;
}

}  // namespace tenure::cpu
