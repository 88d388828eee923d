#pragma once

#include <memory>
#include <vector>

#include "core/run/backend.h"
#include "cpu/elementwise/elementwise.h"
#include "cpu/threads/scratch.h"

/// Chains of elementwise ops, which go over their result once, in pieces that stay in the first-level cache.
namespace tenure::cpu {

/// The ops of a chain, of any inputs.
class Chain {
 public:
  /// The first op's operand -1 is the head's result, which lies where the chain's is to be.
  explicit Chain(std::span<const ChainOp> ops);
  /// False where one of the ops has no row for floats, or where they need too much scratch.
  bool is_whole() const { return is_whole_; }

 private:
  friend class BoundChain;
  struct Link {
    FloatRow row;
    std::vector<std::int32_t> attrs;
    std::array<int, 2> operands;  ///< from 0 on inputs; kResult; below that the scratch of an op before
    int slot;                     ///< of the result; kNoSlot where that is the chain's
  };
  static constexpr int kResult = -1;
  static constexpr int kNoSlot = -1;
  void give_slots();

  std::vector<Link> links_;
  int inputs_ = 0;
  int slots_ = 0;
  bool is_whole_ = true;
};

/// A chain and what it is to work on, for the time of one run.
class BoundChain final : public Follower {
 public:
  /// Of `in` the chain reads those that its operands name; `out` has the head's result already, where it has
  /// one.
  BoundChain(const Chain& chain, const Inputs& in, Tensor& out);
  void run(std::size_t first, std::size_t count) const override;

 private:
  /// An input, again and again along the result: a few elements lie repeated, many as they are.
  struct Operand {
    const float* data = nullptr;
    std::size_t period = 0;
    Scratch<float> repeated = {};
  };
  /// The chain for `count` elements of the result from `first` on, whole vectors, which `out` has or gets.
  void run_links(std::size_t first, std::size_t count, float* out) const;

  const Chain& chain_;
  std::vector<Operand> operands_;
  float* out_;
};

/// Lets a follower take the whole of a result, on several threads.
void follow_all(const Follower& follower, std::size_t elements);

/// Kernels of a chain alone, and of a convolution with the chain that follows it.
std::unique_ptr<PreparedKernel> fuse(std::span<const ChainOp> chain);
std::unique_ptr<PreparedKernel> follow(const ChainHead& head, std::span<const ChainOp> chain);

/// The row of an op for floats; empty where it has none.
FloatRow float_row(Op op);

}  // namespace tenure::cpu
