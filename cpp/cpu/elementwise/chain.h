#pragma once

#include <memory>
#include <vector>

#include "core/run/backend.h"
#include "cpu/elementwise/elementwise.h"
#include "cpu/threads/scratch.h"

/// Fused chains of elementwise ops: one pass over the result, in blocks that stay in the first-level cache.
namespace tenure::cpu {

/// A compiled chain of ops, not bound to inputs.
class Chain {
 public:
  /// In the first op, operand -1 is the head's result, which lies where the chain's result will be.
  explicit Chain(std::span<const ChainOp> ops);
  /// False if an op has no float32 row kernel, or if the chain needs too much scratch; it must not run then.
  bool is_fusable() const { return is_fusable_; }

 private:
  friend class BoundChain;
  struct Link {
    FloatRow row;
    std::vector<std::int32_t> attrs;
    std::array<int, 2> operands;  ///< from 0 on, inputs; kResult; below that, scratch slots
    int slot;                     ///< of the result; kNoSlot for the chain's result
  };
  static constexpr int kResult = -1;
  static constexpr int kNoSlot = -1;
  void assign_scratch();

  std::vector<Link> links_;
  int inputs_ = 0;
  int slots_ = 0;
  bool is_fusable_ = true;
};

/// A chain bound to its inputs and output for one run.
class BoundChain final : public PostOp {
 public:
  /// Binds the chain. It reads those inputs of `in` that its operands name; `out` already holds the head's
  /// result, if there is a head.
  BoundChain(const Chain& chain, const Inputs& in, Tensor& out);
  void run(std::size_t first, std::size_t count) const override;

 private:
  /// An input that repeats along the result with period `period`. A short one is copied several times into
  /// `repeated`; a long one is read in place.
  struct Operand {
    const float* data = nullptr;
    std::size_t period = 0;
    Scratch<float> repeated = {};
  };
  /// Runs the chain for `count` elements of the result, whole vectors, from `first` on. `out` holds the
  /// head's results and receives the chain's.
  void run_links(std::size_t first, std::size_t count, float* out) const;

  const Chain& chain_;
  std::vector<Operand> operands_;
  float* out_;
};

/// Runs a post-op on a whole result, on several threads.
void run_post_op(const PostOp& follower, std::size_t elements);

/// Returns the kernel of a chain of elementwise ops; null if it cannot be fused.
std::unique_ptr<PreparedKernel> fuse(std::span<const ChainOp> chain);
/// Returns the kernel of a convolution and the chain that follows it; null if they cannot be fused.
std::unique_ptr<PreparedKernel> fuse_into_producer(const Producer& head, std::span<const ChainOp> chain);

/// Returns the float32 row kernel of an op; empty if it has none.
FloatRow float_row(Op op);

}  // namespace tenure::cpu
