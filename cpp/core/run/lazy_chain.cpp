#include "core/run/lazy_chain.h"

#include <algorithm>

namespace tenure {
namespace {

/// A chain this short is recomputed for each consumer instead of being stored.
constexpr std::size_t kMaxRecomputedOps = 2;
/// Inputs of at most this size may outlive their handles: flush() would compute for every constant
/// otherwise.
constexpr std::size_t kMaxUntrackedElements = 4096;

}  // namespace

constinit std::vector<LazyChain*> LazyChain::pending_;

LazyChain::LazyChain(const LazyChain* before, const Backend& backend, const TensorSpec& spec)
    : backend_(&backend), spec_(spec) {
  if (!before) return;
  before->has_consumer_ = true;
  links_.reserve(before->links_.size() + 1);
  links_ = before->links_;
  inputs_ = before->inputs_;
}

LazyChain::~LazyChain() { std::erase(pending_, this); }

const LazyChain* LazyChain::of(const Tensor& tensor) {
  for (const LazyChain* chain : pending_) {
    if (chain->storage_ == tensor.storage().get()) return chain;
  }
  return nullptr;
}

bool LazyChain::has_room() const {
  const auto attrs =
      std::count_if(links_.begin(), links_.end(), [](const Link& link) { return link.word_count > 0; });
  return links_.size() < (has_consumer_ ? kMaxRecomputedOps + 1 : kMaxChainOps) &&
         inputs_.size() < kMaxChainInputs && static_cast<std::size_t>(attrs) < kMaxChainAttrs;
}

bool LazyChain::reads_unreferenced_input() const {
  return std::any_of(inputs_.begin(), inputs_.end(), [](const Tensor& input) {
    return input.elements() > kMaxUntrackedElements && input.storage()->handles() == 0;
  });
}

int LazyChain::add_input(const Tensor& x) {
  const auto known = std::find_if(inputs_.begin(), inputs_.end(), [&](const Tensor& input) {
    return input.storage() == x.storage() && input.elements() == x.elements();
  });
  const auto index = static_cast<int>(known - inputs_.begin());
  if (known == inputs_.end()) inputs_.push_back(x);
  return index;
}

void LazyChain::add_link(Op op, AttrsView attrs, std::array<int, 2> operands) {
  Link& link = links_.emplace_back(Link{op, operands, {}, attrs.words().size()});
  std::copy(attrs.words().begin(), attrs.words().end(), link.words.begin());
}

void LazyChain::add_pending(Storage* storage) {
  storage_ = storage;
  pending_.push_back(this);
}

void LazyChain::run(Tensor& out) const {
  std::vector<const Tensor*> inputs;
  inputs.reserve(inputs_.size());
  for (const Tensor& input : inputs_) inputs.push_back(&input);
  const Inputs all(std::span<const Tensor* const>{inputs});
  if (links_.size() > 1) {
    std::vector<ChainOp> ops;
    ops.reserve(links_.size());
    for (const Link& link : links_) ops.push_back({link.op, link.attrs(), link.operands});
    // Never null: each op reads the result of the one before it, so that one intermediate result is kept at a
    // time, and the inputs and attributes are within a shader's limits.
    return backend_->fuse(ops)->run({all, {}, out});
  }
  const auto [first, second] = links_[0].operands;
  const KernelFn kernel = backend_->kernel(links_[0].op);
  if (op_def(links_[0].op).kind == OpKind::kUnary) return kernel({{&all[first]}, links_[0].attrs(), out});
  kernel({{&all[first], &all[second]}, links_[0].attrs(), out});
}

void LazyChain::add_to(MemoryReport& report, MemoryPart part) const {
  for (const Tensor& input : inputs_) report.add(part, input.storage().get());
}

}  // namespace tenure
