#include "cpu/chain.h"

#include <algorithm>
#include <optional>

#include "core/activation.h"
#include "cpu/parallel.h"
#include "cpu/prepacked.h"

namespace tenure::cpu {
namespace {

// With four operands, a quarter of the smallest first-level caches.
constexpr std::size_t kBlock = 512;
constexpr std::size_t kSlackFloats = Storage::kSlack / sizeof(float);
constexpr int kMostSlots = 4;

class ChainKernel final : public PreparedKernel {
 public:
  explicit ChainKernel(Chain chain) : chain_(std::move(chain)) {}
  void run(const KernelArgs& args) const override {
    follow_all(BoundChain(chain_, args.in, args.out), args.out.elements());
  }
  std::size_t bytes() const override { return 0; }

 private:
  Chain chain_;
};

// Whether an op of the chain from `first` on reads the result of the op `maker`, which is -1 for the head.
bool is_read(std::span<const ChainOp> ops, std::size_t first, int maker) {
  for (std::size_t i = first; i < ops.size(); ++i) {
    for (const int operand : ops[i].operands) {
      if (operand < 0 && static_cast<int>(i) + operand == maker) return true;
    }
  }
  return false;
}

// What a convolution does of the chain that follows it: add an input to its products, and clamp the sums.
struct Shortcut {
  int input = -1;  // of the chain's; -1 where the first op is another
  std::size_t ops = 0;
  Activation activation = Activation::kLinear;

  Shortcut(const ChainHead& head, std::span<const ChainOp> chain) {
    if (head.op != Op::conv2d || head.attrs.as<ConvAttrs>().activation != Activation::kLinear) return;
    const auto [low, high] = std::minmax(chain[0].operands[0], chain[0].operands[1]);
    if (chain[0].op != Op::add || low != -1 || high < 0 || is_read(chain, 1, -1)) return;
    input = high;
    ops = 1;
    if (chain.size() == 1 || is_read(chain, 2, 0)) return;
    const Activation next = activation_of(chain[1].op);
    if (next == Activation::kLinear || !is_clamp(next)) return;
    activation = next;
    ops = 2;
  }
};

class Headed final : public PreparedKernel {
 public:
  Headed(const ChainHead& head, std::span<const ChainOp> ops, Chain chain)
      : head_(head),
        attrs_(head.attrs.words().begin(), head.attrs.words().end()),
        chain_(std::move(chain)),
        shortcut_(head, ops) {
    head_.attrs = AttrsView(std::span<const std::int32_t>(attrs_));
    if (shortcut_.ops < ops.size()) rest_.emplace(ops.subspan(shortcut_.ops));
  }

  void run(const KernelArgs& args) const override {
    std::vector<const Tensor*> inputs;
    inputs.reserve(kResidual + 1);
    for (std::size_t i = 0; i < head_.inputs; ++i) inputs.push_back(&args.in[static_cast<int>(i)]);
    if (shortcut_.input < 0 || args.in[shortcut_.input].elements() != args.out.elements()) {
      return run_head(args, inputs, head_.attrs, &chain_);
    }
    const Tensor none;
    inputs.resize(kResidual, &none);
    inputs.push_back(&args.in[shortcut_.input]);
    auto attrs = head_.attrs.as<ConvAttrs>();
    attrs.activation = shortcut_.activation;
    run_head(args, inputs, AttrsView(attrs), rest_ ? &*rest_ : nullptr);
  }
  std::size_t bytes() const override { return 0; }
  bool reads(std::size_t input) const override {
    return !head_.prepared || input >= head_.inputs || head_.prepared->reads(input);
  }

 private:
  void run_head(const KernelArgs& args, std::span<const Tensor* const> inputs, AttrsView attrs,
                const Chain* chain) const {
    const KernelArgs own = {Inputs(inputs), attrs, args.out};
    std::optional<BoundChain> then;
    if (chain) then.emplace(*chain, args.in, args.out);
    const Follower* follower = then ? &*then : nullptr;
    if (head_.prepared) {
      follower ? head_.prepared->run_then(own, *follower) : head_.prepared->run(own);
    } else {
      head_.op == Op::conv2d ? conv2d_then(own, follower) : depthwise_conv2d_then(own, follower);
    }
  }

  ChainHead head_;
  std::vector<std::int32_t> attrs_;
  Chain chain_;
  Shortcut shortcut_;
  std::optional<Chain> rest_;  // what the shortcut leaves
};

}  // namespace

Chain::Chain(std::span<const ChainOp> ops) {
  for (const ChainOp& op : ops) {
    const FloatRow row = float_row(op.op);
    is_whole_ = is_whole_ && (row.unary || row.binary);
    links_.push_back({row, {op.attrs.words().begin(), op.attrs.words().end()}, op.operands, kNoSlot});
    // What has no attributes gets the address of something all the same.
    links_.back().attrs.push_back(0);
    if (!row.binary) links_.back().operands[1] = links_.back().operands[0];
    inputs_ = std::max({inputs_, op.operands[0] + 1, op.operands[1] + 1});
  }
  give_slots();
  is_whole_ = is_whole_ && slots_ <= kMostSlots;
}

/// Results on the way get scratch that nobody reads any more: an op may write where its own operand lies.
void Chain::give_slots() {
  const auto count = static_cast<int>(links_.size());
  std::vector<int> last(links_.size(), -1);
  for (int i = 0; i < count; ++i) {
    for (const int operand : links_[static_cast<std::size_t>(i)].operands) {
      const int maker = i + operand;
      if (operand < 0 && maker >= 0) last[static_cast<std::size_t>(maker)] = i;
    }
  }
  std::vector<int> free;
  for (int i = 0; i < count; ++i) {
    Link& link = links_[static_cast<std::size_t>(i)];
    for (int& operand : link.operands) {
      if (operand >= 0) continue;
      const int maker = i + operand;
      operand = maker < 0 ? kResult : kResult - 1 - links_[static_cast<std::size_t>(maker)].slot;
    }
    for (int j = 0; j < i; ++j) {
      if (last[static_cast<std::size_t>(j)] == i) free.push_back(links_[static_cast<std::size_t>(j)].slot);
    }
    if (i + 1 == count) break;
    if (free.empty()) free.push_back(slots_++);
    link.slot = free.back();
    free.pop_back();
  }
}

BoundChain::BoundChain(const Chain& chain, const Inputs& in, Tensor& out)
    : chain_(chain), operands_(static_cast<std::size_t>(chain.inputs_)), out_(out.mutable_data<float>()) {
  for (const Chain::Link& link : chain.links_) {
    for (const int number : link.operands) {
      if (number < 0 || operands_[static_cast<std::size_t>(number)].data) continue;
      Operand& operand = operands_[static_cast<std::size_t>(number)];
      const Tensor& given = in[number];
      operand = {given.data<float>(), given.elements()};
      if (operand.period > kBlock || operand.period == out.elements()) continue;
      operand.repeated = Scratch<float>(operand.period + kBlock + kSlackFloats);
      for (std::size_t i = 0; i < operand.repeated.size(); i += operand.period)
        std::copy_n(operand.data, std::min(operand.period, operand.repeated.size() - i),
                    operand.repeated.data() + i);
      operand.data = operand.repeated.data();
    }
  }
}

void BoundChain::run(std::size_t first, std::size_t count) const {
  constexpr std::size_t kLanes = simd::kLanes;
  for (const std::size_t end = first + count; first < end; first += count) {
    count = std::min(kBlock, end - first);
    for (const Operand& operand : operands_) {
      if (operand.data && !operand.repeated.data())
        count = std::min(count, operand.period - first % operand.period);
    }
    float* out = out_ + first;
    if (count >= kLanes) {
      count -= count % kLanes;
      run_links(first, count, out);
      continue;
    }
    // Rows are of whole vectors, and what lies behind may be another thread's.
    alignas(16) float rest[kLanes] = {};
    std::copy_n(out, count, rest);
    run_links(first, kLanes, rest);
    std::copy_n(rest, count, out);
  }
}

void BoundChain::run_links(std::size_t first, std::size_t count, float* out) const {
  alignas(16) float scratch[kMostSlots][kBlock];
  const auto operand = [&](int number) -> const float* {
    if (number == Chain::kResult) return out;
    if (number < 0) return scratch[Chain::kResult - 1 - number];
    const Operand& input = operands_[static_cast<std::size_t>(number)];
    return input.data + first % input.period;
  };
  for (const Chain::Link& link : chain_.links_) {
    float* to = link.slot == Chain::kNoSlot ? out : scratch[link.slot];
    if (link.row.binary) {
      link.row.binary->run(operand(link.operands[0]), operand(link.operands[1]), to, count);
    } else {
      link.row.unary->run(operand(link.operands[0]), to, count, link.attrs.data());
    }
  }
}

void follow_all(const Follower& follower, std::size_t elements) {
  constexpr std::size_t kBlocks = 64;
  parallel_for((elements + kBlock - 1) / kBlock, kBlocks, [&](std::size_t begin, std::size_t end) {
    follower.run(begin * kBlock, std::min(elements, end * kBlock) - begin * kBlock);
  });
}

std::unique_ptr<PreparedKernel> fuse(std::span<const ChainOp> chain) {
  Chain made(chain);
  return made.is_whole() ? std::make_unique<ChainKernel>(std::move(made)) : nullptr;
}

std::unique_ptr<PreparedKernel> follow(const ChainHead& head, std::span<const ChainOp> chain) {
  Chain made(chain);
  return made.is_whole() ? std::make_unique<Headed>(head, chain, std::move(made)) : nullptr;
}

}  // namespace tenure::cpu
