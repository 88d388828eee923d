#include "core/run/lazy.h"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "core/memory/memory_tracked.h"
#include "core/run/backend.h"
#include "core/run/op_traits.h"

namespace tenure::lazy {
namespace {

constexpr std::size_t kMaxAttrWords = 4;
/// A chain this short is recomputed for each consumer instead of being stored.
constexpr std::size_t kMaxRecomputedOps = 2;
constexpr std::size_t kMaxPending = 16;
/// Inputs of at most this size may outlive their handles: flush() would compute for every constant
/// otherwise.
constexpr std::size_t kMaxUntrackedElements = 4096;

/// One op of a LazyChain.
struct Link {
  Op op;
  std::array<int, 2> operands;  ///< as in ChainOp
  std::array<std::int32_t, kMaxAttrWords> words;
  std::size_t word_count;
  AttrsView attrs() const { return AttrsView(std::span(words).first(word_count)); }
};

/// A chain of deferred ops: each reads the result of the one before it, and inputs of the chain.
class LazyChain final : public DeferredData {
 public:
  /// Copies the ops of `before`, the chain to extend; null for none.
  LazyChain(const LazyChain* before, const TensorSpec& spec) : spec_(spec) {
    if (!before) return;
    before->has_consumer_ = true;
    links_.reserve(before->links_.size() + 1);
    links_ = before->links_;
    inputs_ = before->inputs_;
  }
  ~LazyChain() override { std::erase(pending, this); }
  LazyChain(const LazyChain&) = delete;
  LazyChain& operator=(const LazyChain&) = delete;

  /// Returns the chain that the bytes of a tensor are pending on, or null if they are computed.
  static const LazyChain* of(const Tensor& tensor) {
    for (const LazyChain* chain : pending) {
      if (chain->storage_ == tensor.storage().get()) return chain;
    }
    return nullptr;
  }

  std::size_t length() const { return links_.size(); }
  /// True if another op may be appended.
  bool has_room() const {
    return links_.size() < (has_consumer_ ? kMaxRecomputedOps + 1 : kMaxChainOps) &&
           inputs_.size() < kMaxChainInputs;
  }
  /// True if no handle is left of a large input.
  bool reads_unreferenced_input() const {
    return std::any_of(inputs_.begin(), inputs_.end(), [](const Tensor& input) {
      return input.elements() > kMaxUntrackedElements && input.storage()->handles() == 0;
    });
  }

  int add_input(const Tensor& x) {
    const auto known = std::find_if(inputs_.begin(), inputs_.end(), [&](const Tensor& input) {
      return input.storage() == x.storage() && input.elements() == x.elements();
    });
    const auto place = static_cast<int>(known - inputs_.begin());
    if (known == inputs_.end()) inputs_.push_back(x);
    return place;
  }
  void add_link(Op op, AttrsView attrs, std::array<int, 2> operands) {
    Link& link = links_.emplace_back(Link{op, operands, {}, attrs.words().size()});
    std::copy(attrs.words().begin(), attrs.words().end(), link.words.begin());
  }

  /// Adds the chain to the pending ones, as the source of the storage's bytes.
  void defer(Storage* storage) {
    storage_ = storage;
    pending.push_back(this);
  }
  Storage* storage() const { return storage_; }

  /// All pending chains, the oldest first.
  static constinit std::vector<LazyChain*> pending;

  void unpack(void* to) const override {
    // A view with an owner does not free its bytes.
    Tensor out(Storage::view(to, spec_.shape.elements() * sizeof(float), inputs_[0].storage()), spec_);
    std::vector<const Tensor*> inputs;
    inputs.reserve(inputs_.size());
    for (const Tensor& input : inputs_) inputs.push_back(&input);
    const Inputs all(std::span<const Tensor* const>{inputs});
    if (links_.size() > 1) return run_together({all, {}, out});
    const auto [first, second] = links_[0].operands;
    const KernelFn kernel = cpu_backend().kernel(links_[0].op);
    if (op_def(links_[0].op).kind == OpKind::kUnary) return kernel({{&all[first]}, links_[0].attrs(), out});
    kernel({{&all[first], &all[second]}, links_[0].attrs(), out});
  }
  std::string_view op_name() const override { return op_def(links_.back().op).js_name; }
  // The lists are not allocated by allocate(), as those of tapes and graphs are not, and so are not counted.
  std::size_t bytes() const override { return 0; }
  void add_to(MemoryReport& report, MemoryPart part) const override {
    for (const Tensor& input : inputs_) report.add(part, input.storage().get());
  }

 private:
  void run_together(const KernelArgs& args) const {
    std::vector<ChainOp> ops;
    ops.reserve(links_.size());
    for (const Link& link : links_) ops.push_back({link.op, link.attrs(), link.operands});
    // Never null: each op reads the result of the one before it, so that one intermediate result is kept at a
    // time.
    cpu_backend().fuse(ops)->run(args);
  }

  TensorSpec spec_;
  std::vector<Link> links_;
  std::vector<Tensor> inputs_;
  Storage* storage_ = nullptr;
  mutable bool has_consumer_ = false;
};

constinit std::vector<LazyChain*> LazyChain::pending;

/// Returns the longest pending chain that the op can be appended to, among inputs as large as the result;
/// null if there is none.
const LazyChain* find_longest(Inputs in, const TensorSpec& spec) {
  const LazyChain* longest = nullptr;
  for (int i = 0; i < in.size(); ++i) {
    const LazyChain* chain = LazyChain::of(in[i]);
    if (chain && chain->has_room() && in[i].elements() == spec.shape.elements() &&
        (!longest || chain->length() > longest->length()))
      longest = chain;
  }
  return longest;
}

}  // namespace

std::size_t count() { return LazyChain::pending.size(); }

Tensor evaluate(Op op, Inputs in, AttrsView attrs, const TensorSpec& spec) {
  if (spec.dtype != DType::kFloat32 || attrs.words().size() > kMaxAttrWords) return {};
  for (int i = 0; i < in.size(); ++i) {
    if (in[i].dtype() != DType::kFloat32 || !is_suffix_broadcast(in[i].shape(), spec.shape)) return {};
    // Reading packed weights here would unpack them for good.
    if (in[i].storage()->is_packed() && !LazyChain::of(in[i])) return {};
  }
  const LazyChain* const before = find_longest(in, spec);
  const bool waits = op_traits(op).is_memory_bound;
  if (!waits && !before) return {};

  auto chain = std::make_unique<LazyChain>(before, spec);
  std::array<int, 2> operands = {-1, -1};
  for (int i = 0; i < in.size(); ++i) {
    if (before && in[i].storage().get() == before->storage()) continue;
    if (LazyChain::of(in[i])) in[i].storage()->materialize();
    operands[static_cast<std::size_t>(i)] = chain->add_input(in[i]);
  }
  chain->add_link(op, attrs, operands);
  LazyChain& made = *chain;
  Tensor out(Storage::packed(spec.shape.elements() * sizeof(float), std::move(chain)), spec);
  if (!waits) {
    out.storage()->materialize();
    return out;
  }
  if (count() == kMaxPending) LazyChain::pending.front()->storage()->materialize();
  made.defer(out.storage().get());
  return out;
}

void flush() noexcept {
  const auto& pending = LazyChain::pending;
  for (std::size_t i = 0; i < pending.size();) {
    if (!pending[i]->reads_unreferenced_input()) {
      ++i;
      continue;
    }
    try {
      pending[i]->storage()->materialize();
    } catch (...) {
      ++i;
    }
  }
}

void repair() noexcept {
  std::erase_if(LazyChain::pending,
                [](const LazyChain* chain) { return !chain->storage()->has_source(chain); });
}

}  // namespace tenure::lazy
