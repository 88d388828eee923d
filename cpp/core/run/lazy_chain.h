#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/memory/memory_tracked.h"
#include "core/run/backend.h"

namespace tenure {

/// A chain of deferred elementwise ops on float32: each reads the result of the one before it, and inputs of
/// the chain.
class LazyChain {
 public:
  static constexpr std::size_t kMaxAttrWords = 4;

  /// Copies the ops of `before`, the chain to extend; null for none. `backend` is to compute the result.
  LazyChain(const LazyChain* before, const Backend& backend, const TensorSpec& spec);
  ~LazyChain();
  LazyChain(const LazyChain&) = delete;
  LazyChain& operator=(const LazyChain&) = delete;

  /// Returns the chain that the bytes of a tensor are pending on, or null if they are computed.
  static const LazyChain* of(const Tensor& tensor);

  std::size_t length() const { return links_.size(); }
  const Backend& backend() const { return *backend_; }
  const TensorSpec& spec() const { return spec_; }
  std::span<const Tensor> inputs() const { return inputs_; }
  /// True if another op may be appended.
  bool has_room() const;
  /// True if no handle is left of a large input.
  bool reads_unreferenced_input() const;

  /// Returns the index of `x` among the inputs, to which it is added if it is none yet.
  int add_input(const Tensor& x);
  void add_link(Op op, AttrsView attrs, std::array<int, 2> operands);
  /// Adds the chain to the pending ones, as the source of the storage's bytes.
  void add_pending(Storage* storage);
  Storage* storage() const { return storage_; }

  /// Computes the result into `out`.
  void run(Tensor& out) const;
  /// Returns the last op.
  Op op() const { return links_.back().op; }
  /// Adds the inputs' storages to `report`.
  void add_to(MemoryReport& report, MemoryPart part) const;

  /// Returns all pending chains, the oldest first.
  static std::span<LazyChain* const> pending() { return pending_; }
  /// Removes chains from the pending ones.
  template <class F>
  static void erase_pending_if(F should_erase) {
    std::erase_if(pending_, should_erase);
  }

 private:
  /// One op of the chain.
  struct Link {
    Op op;
    std::array<int, 2> operands;  ///< as in ChainOp
    std::array<std::int32_t, kMaxAttrWords> words;
    std::size_t word_count;
    AttrsView attrs() const { return AttrsView(std::span(words).first(word_count)); }
  };

  static constinit std::vector<LazyChain*> pending_;

  const Backend* backend_;
  TensorSpec spec_;
  std::vector<Link> links_;
  std::vector<Tensor> inputs_;
  Storage* storage_ = nullptr;
  mutable bool has_consumer_ = false;
};

}  // namespace tenure
