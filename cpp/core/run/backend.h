#pragma once

#include <array>
#include <memory>
#include <span>
#include <string_view>

#include "core/run/op.h"

namespace tenure {

class Account;

/// What is done to a result as it is made, part by part.
class Follower {
 public:
  Follower() = default;
  Follower(const Follower&) = delete;
  Follower& operator=(const Follower&) = delete;
  virtual ~Follower() = default;
  /// Takes `count` elements from `first` on. Parts come in any order, each once, from threads too.
  virtual void run(std::size_t first, std::size_t count) const = 0;
};

/// A kernel together with what it made beforehand of its op's constant inputs, such as packed weights.
class PreparedKernel {
 public:
  PreparedKernel() = default;
  PreparedKernel(const PreparedKernel&) = delete;
  PreparedKernel& operator=(const PreparedKernel&) = delete;
  virtual ~PreparedKernel() = default;
  /// Does what the op's kernel does, for inputs that are constant where they were.
  virtual void run(const KernelArgs& args) const = 0;
  /// The same, and then the follower, best while the result is in the cache.
  virtual void run_then(const KernelArgs& args, const Follower& then) const {
    run(args);
    then.run(0, args.out.elements());
  }
  /// Bytes that it holds beside storage().
  virtual std::size_t bytes() const = 0;
  /// Adds the tensors that it holds beside storage().
  virtual void add_to(Account& /*account*/) const {}
  /// What it made of a weight, which others may hold too; null for nothing.
  virtual const Storage* storage() const { return nullptr; }
  /// Whether a run reads more of an input than its shape.
  virtual bool reads(std::size_t /*input*/) const { return true; }
  /// Whether the output may lie over an input of the same size: each element of that is read before one is
  /// written in its place, and not again.
  virtual bool may_overwrite(std::size_t /*input*/) const { return false; }
  /// Whether, for a convolution, that holds for what is added to its result.
  virtual bool may_overwrite_residual() const { return false; }
};

/// Prepares a kernel for inputs of which only the constant ones have data; null where nothing is gained.
using PrepareFn = std::unique_ptr<PreparedKernel> (*)(Op op, Inputs in, AttrsView attrs);

/// Makes a kernel's first runs faster, ahead of them; needs no weights. Shapes are those of the op's first
/// two inputs, or of the only one.
using WarmUpFn = void (*)(Op op, const Shape& x, const Shape& weights, AttrsView attrs);

/// One op of a chain of elementwise ops.
struct ChainOp {
  Op op;
  AttrsView attrs;
  /// From 0 on, inputs of the chain; -1 is the result of the op before this one, -2 of that before it, and so
  /// on.
  std::array<int, 2> operands;
};

/// What fits into one shader.
constexpr std::size_t kMostChainOps = 12;
constexpr std::size_t kMostChainInputs = 6;

/// Makes one kernel of a chain whose result is that of its last op: all values are float32, and each input
/// repeats along the output. Null where the backend cannot.
using FuseFn = std::unique_ptr<PreparedKernel> (*)(std::span<const ChainOp> chain);

/// An op whose result only a chain reads.
struct ChainHead {
  Op op;
  AttrsView attrs;
  std::size_t inputs;              ///< how many of the chain's inputs are the head's; they come first
  const PreparedKernel* prepared;  ///< what its backend prepared for it, or null; outlives the chain's kernel
  Shape x;                         ///< of its first two inputs
  Shape filter;
};

/// Makes one kernel of an op and the chain that follows it, whose first op has the head's result as operand
/// -1. Null where the backend cannot.
using FollowFn = std::unique_ptr<PreparedKernel> (*)(const ChainHead& head, std::span<const ChainOp> chain);

/// A step of an optimizer (lists/optimizers.def): from a value and its slots to the next, whose bytes may be
/// the same.
using UpdateFn = void (*)(const UpdateAttrs& attrs, const Tensor& gradient, std::span<const Tensor> before,
                          std::span<Tensor> after);

/// A device that computes: one kernel for each primitive op, null where it has none.
struct Backend {
  std::string_view name;
  std::array<KernelFn, kPrimitiveCount> kernels;
  /// Of a device with memory of its own: whether it can hold such a tensor now. Null for the CPU.
  bool (*can_hold)(const TensorSpec&) = nullptr;
  PrepareFn prepare = nullptr;
  WarmUpFn warm_up = nullptr;
  FuseFn fuse = nullptr;
  /// Null where chains have no heads.
  FollowFn follow = nullptr;
  /// Of a device: another number once it has lost all that was made on it.
  unsigned (*epoch)() = nullptr;
  /// Of a device: from collect(true) on, kernels only begin to get their programs ready, and collect(false)
  /// waits for all of them, so that a driver can work on many at a time.
  void (*collect)(bool collecting) = nullptr;
  /// Null where ops do it.
  UpdateFn update = nullptr;
};

/// The backend that has a kernel for every op. Defined in cpu/backend.cpp.
const Backend& cpu_backend();

}  // namespace tenure
