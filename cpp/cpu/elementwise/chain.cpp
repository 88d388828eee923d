#include "cpu/elementwise/chain.h"

#include <algorithm>

#include "cpu/movement/repeat.h"
#include "cpu/threads/parallel.h"

namespace tenure::cpu {
namespace {

// Elements of a block: with four operands, a quarter of the smallest first-level caches.
constexpr std::size_t kBlock = 512;
constexpr std::size_t kSlackFloats = Storage::kSlack / sizeof(float);
constexpr int kMaxSlots = 4;

class ChainKernel final : public PreparedKernel {
 public:
  explicit ChainKernel(Chain chain) : chain_(std::move(chain)) {}
  void run(const KernelArgs& args) const override {
    run_post_op(BoundChain(chain_, args.in, args.out), args.out.elements());
  }
  std::size_t bytes() const override { return 0; }
  // All links but the last write to scratch.
  bool can_donate(std::size_t /*input*/) const override { return true; }

 private:
  Chain chain_;
};

}  // namespace

Chain::Chain(std::span<const ChainOp> ops) {
  for (const ChainOp& op : ops) {
    const FloatRow row = float_row(op.op);
    is_fusable_ = is_fusable_ && (row.unary || row.binary);
    links_.push_back({row, {op.attrs.words().begin(), op.attrs.words().end()}, op.operands, kNoSlot});
    // Ops without attributes still get a valid address.
    links_.back().attrs.push_back(0);
    if (!row.binary) links_.back().operands[1] = links_.back().operands[0];
    inputs_ = std::max({inputs_, op.operands[0] + 1, op.operands[1] + 1});
  }
  assign_scratch();
  is_fusable_ = is_fusable_ && slots_ <= kMaxSlots;
}

/// Assigns scratch slots to intermediate results, and reuses slots after their last use: an op may write to
/// the slot of its operand.
void Chain::assign_scratch() {
  const auto count = static_cast<int>(links_.size());
  std::vector<int> last(links_.size(), -1);
  for (int i = 0; i < count; ++i) {
    for (const int operand : links_[static_cast<std::size_t>(i)].operands) {
      const int producer = i + operand;
      if (operand < 0 && producer >= 0) last[static_cast<std::size_t>(producer)] = i;
    }
  }
  std::vector<int> free;
  for (int i = 0; i < count; ++i) {
    Link& link = links_[static_cast<std::size_t>(i)];
    for (int& operand : link.operands) {
      if (operand >= 0) continue;
      const int producer = i + operand;
      operand = producer < 0 ? kResult : kResult - 1 - links_[static_cast<std::size_t>(producer)].slot;
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
      const std::size_t copies = (kBlock + kSlackFloats) / operand.period + 2;
      operand.repeated = Scratch<float>(copies * operand.period);
      std::copy_n(operand.data, operand.period, operand.repeated.data());
      repeat_block(reinterpret_cast<std::uint8_t*>(operand.repeated.data()), operand.period * sizeof(float),
                   copies);
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
    // Row kernels compute whole vectors, and another thread may be writing what lies behind.
    alignas(16) float rest[kLanes] = {};
    std::copy_n(out, count, rest);
    run_links(first, kLanes, rest);
    std::copy_n(rest, count, out);
  }
}

void BoundChain::run_links(std::size_t first, std::size_t count, float* out) const {
  alignas(16) float scratch[kMaxSlots][kBlock];
  const auto operand = [&](int number) -> const float* {
    if (number == Chain::kResult) return out;
    if (number < 0) return scratch[Chain::kResult - 1 - number];
    const Operand& input = operands_[static_cast<std::size_t>(number)];
    return input.data + first % input.period;
  };
  for (const Chain::Link& link : chain_.links_) {
    float* to = link.slot == Chain::kNoSlot ? out : scratch[link.slot];
    if (link.row.binary) {
      link.row.binary->run(operand(link.operands[0]), operand(link.operands[1]), to, count, kStridedMask,
                           kStridedMask);
    } else {
      link.row.unary->run(operand(link.operands[0]), to, count, link.attrs.data());
    }
  }
}

void run_post_op(const PostOp& follower, std::size_t elements) {
  constexpr std::size_t kBlocks = 64;
  parallel_for((elements + kBlock - 1) / kBlock, kBlocks, [&](std::size_t begin, std::size_t end) {
    follower.run(begin * kBlock, std::min(elements, end * kBlock) - begin * kBlock);
  });
}

std::unique_ptr<PreparedKernel> fuse(std::span<const ChainOp> chain) {
  Chain fused(chain);
  return fused.is_fusable() ? std::make_unique<ChainKernel>(std::move(fused)) : nullptr;
}

}  // namespace tenure::cpu
