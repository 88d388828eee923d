#include "core/run/lazy.h"

#include <algorithm>
#include <array>
#include <vector>

#include "core/error.h"
#include "core/run/device.h"
#include "core/run/lazy_chain.h"
#include "core/run/op_traits.h"

namespace tenure::lazy {
namespace {

constexpr std::size_t kMaxPending = 16;

/// The chain as the source of a storage on the CPU.
class PendingOnCpu final : public DeferredData {
 public:
  explicit PendingOnCpu(std::unique_ptr<LazyChain> chain) : chain_(std::move(chain)) {}

  void unpack(void* to) const override {
    const TensorSpec& spec = chain_->spec();
    // A view with an owner does not free its bytes.
    Tensor out(Storage::view(to, spec.shape.elements() * sizeof(float), chain_->inputs()[0].storage()), spec);
    chain_->run(out);
  }
  std::string_view op_name() const override { return op_def(chain_->op()).js_name; }
  // The lists are not allocated by allocate(), as those of tapes and graphs are not, and so are not counted.
  std::size_t bytes() const override { return 0; }
  void add_to(MemoryReport& report, MemoryPart part) const override { chain_->add_to(report, part); }
  const char* form() const override { return &kForm; }
  const LazyChain* chain() const { return chain_.get(); }

  static constexpr char kForm = 0;

 private:
  std::unique_ptr<LazyChain> chain_;
};

bool is_on_device(const LazyChain& chain) { return chain.backend().is_device(); }

void compute(const LazyChain& chain) {
  is_on_device(chain) ? chain.storage()->device()->compute() : chain.storage()->materialize();
}

/// Returns the longest pending chain that the op can be appended to, among inputs as large as the result;
/// null if there is none.
const LazyChain* find_longest(const Backend& backend, Inputs in, const TensorSpec& spec) {
  const LazyChain* longest = nullptr;
  for (int i = 0; i < in.size(); ++i) {
    const LazyChain* chain = LazyChain::of(in[i]);
    if (chain && &chain->backend() == &backend && chain->has_room() &&
        in[i].elements() == spec.shape.elements() && (!longest || chain->length() > longest->length()))
      longest = chain;
  }
  return longest;
}

/// True if the input's values are only on a device that is not the backend's, and could be lost before a
/// pending result is computed.
bool is_only_elsewhere(const Tensor& input, const Backend& backend) {
  const Storage& storage = *input.storage().get();
  return storage.only_on_device() && !(backend.is_device() && storage.only_on(*backend.device));
}

bool are_deferrable(const Backend& backend, Inputs in, AttrsView attrs, const TensorSpec& spec) {
  if (spec.dtype != DType::kFloat32 || attrs.words().size() > LazyChain::kMaxAttrWords) return false;
  for (int i = 0; i < in.size(); ++i) {
    if (in[i].dtype() != DType::kFloat32 || !is_suffix_broadcast(in[i].shape(), spec.shape)) return false;
    // Reading packed weights here would unpack them for good.
    if (in[i].storage()->is_packed() && !LazyChain::of(in[i])) return false;
    if (is_only_elsewhere(in[i], backend)) return false;
    if (backend.is_device() && !backend.device->can_read_later(in[i])) return false;
  }
  return true;
}

/// Computes the oldest pending result, so that another one can be added.
void make_room() {
  try {
    compute(*LazyChain::pending().front());
  } catch (const Error&) {
    // A result that was lost with its device is not pending anymore: its own reader gets the error.
    if (count() == kMaxPending) throw;
  }
}

Tensor make_pending(std::unique_ptr<LazyChain> chain, const TensorSpec& spec) {
  Device* const device = chain->backend().device;
  if (!device) {
    return Tensor(Storage::packed(spec.shape.elements() * sizeof(float),
                                  std::make_unique<PendingOnCpu>(std::move(chain))),
                  spec);
  }
  Tensor out = Tensor::deferred(spec);
  out.storage()->move_to(device->defer(std::move(chain)));
  return out;
}

}  // namespace

std::size_t count() { return LazyChain::pending().size(); }

Tensor evaluate(const Backend& backend, Op op, Inputs in, AttrsView attrs, const TensorSpec& spec) {
  if (!are_deferrable(backend, in, attrs, spec)) return {};
  const LazyChain* const before = find_longest(backend, in, spec);
  const bool waits = backend.is_device() || op_traits(op).is_memory_bound;
  if (!waits && !before) return {};

  auto chain = std::make_unique<LazyChain>(before, backend, spec);
  std::array<int, 2> operands = {-1, -1};
  for (int i = 0; i < in.size(); ++i) {
    if (before && in[i].storage().get() == before->storage()) continue;
    if (const LazyChain* const other = LazyChain::of(in[i])) compute(*other);
    operands[static_cast<std::size_t>(i)] = chain->add_input(in[i]);
  }
  chain->add_link(op, attrs, operands);
  LazyChain& added = *chain;
  Tensor out = make_pending(std::move(chain), spec);
  if (!waits) {
    out.storage()->materialize();
    return out;
  }
  if (count() == kMaxPending) make_room();
  added.add_pending(out.storage().get());
  return out;
}

void flush() noexcept {
  for (std::size_t i = 0; i < count();) {
    const LazyChain& chain = *LazyChain::pending()[i];
    if (!chain.reads_unreferenced_input()) {
      ++i;
      continue;
    }
    const std::size_t before = count();
    try {
      compute(chain);
    } catch (...) {
      // A result that was lost with its device is not pending anymore.
      if (count() == before) ++i;
    }
  }
}

void repair() noexcept {
  LazyChain::erase_pending_if([](const LazyChain* chain) {
    const Storage& storage = *chain->storage();
    if (is_on_device(*chain)) return !storage.device() || storage.device()->pending() != chain;
    const auto* const source = storage.packed_as<PendingOnCpu>();
    return !source || source->chain() != chain;
  });
}

}  // namespace tenure::lazy
