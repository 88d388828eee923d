#pragma once

#include <array>
#include <memory>
#include <span>
#include <string_view>

#include "core/run/device.h"
#include "core/run/op.h"

namespace tenure {

class MemoryReport;

/// Post-ops that are applied to a kernel's result part by part, as it is computed.
class PostOp {
 public:
  PostOp() = default;
  PostOp(const PostOp&) = delete;
  PostOp& operator=(const PostOp&) = delete;
  virtual ~PostOp() = default;
  /// Processes `count` elements from `first` on. Parts come in any order, each once, possibly from several
  /// threads.
  virtual void run(std::size_t first, std::size_t count) const = 0;
};

/// A kernel with what it precomputed from its op's constant inputs, such as packed weights.
class PreparedKernel {
 public:
  PreparedKernel() = default;
  PreparedKernel(const PreparedKernel&) = delete;
  PreparedKernel& operator=(const PreparedKernel&) = delete;
  virtual ~PreparedKernel() = default;
  /// Computes the op. Inputs that were constant when the kernel was prepared must be unchanged.
  virtual void run(const KernelArgs& args) const = 0;
  /// Computes the op and applies `then` to its result, best while that is in the cache. The default
  /// implementation applies it once, to the whole result.
  virtual void run_with_post_op(const KernelArgs& args, const PostOp& then) const {
    run(args);
    then.run(0, args.out.elements());
  }
  /// Returns the bytes held besides storage().
  virtual std::size_t bytes() const = 0;
  /// Adds the tensors held besides storage() to `report`.
  virtual void add_to(MemoryReport& /*report*/) const {}
  /// Returns what was made of a weight, which others may hold too; null for nothing.
  virtual const Storage* storage() const { return nullptr; }
  /// True if run() reads more of the input than its shape.
  virtual bool reads(std::size_t /*input*/) const { return true; }
  /// True if the output may alias this same-sized input (donation): each element of the input is read before
  /// one is written in its place, and not again.
  virtual bool can_donate(std::size_t /*input*/) const { return false; }
  /// True if the output of a convolution may alias the residual that is added to it (donation).
  virtual bool can_donate_residual() const { return false; }
};

/// A function that prepares a kernel for inputs of which only the constant ones have data. It returns null if
/// nothing is gained.
using PrepareFn = std::unique_ptr<PreparedKernel> (*)(Op op, Inputs in, AttrsView attrs);

/// A function that makes a kernel's first runs faster, ahead of them. It needs no weights. The shapes are
/// those of the op's first two inputs, or of the only one.
using WarmUpFn = void (*)(Op op, const Shape& x, const Shape& weights, AttrsView attrs);

/// One op of a chain of elementwise ops.
struct ChainOp {
  Op op;
  AttrsView attrs;
  /// The operands: numbers from 0 on are inputs of the chain; -1 is the result of the previous op, -2 of the
  /// one before that, and so on.
  std::array<int, 2> operands;
};

/// Maximum number of ops of a fused chain, which must fit into one shader.
constexpr std::size_t kMaxChainOps = 12;
/// Maximum number of inputs of a fused chain, which must fit into one shader.
constexpr std::size_t kMaxChainInputs = 6;
/// Maximum number of ops with attributes of a fused chain, which must fit into one shader.
constexpr std::size_t kMaxChainAttrs = 8;

/// A function that fuses a chain of elementwise ops into one kernel, whose result is that of the last op. All
/// values are float32, and each input satisfies is_suffix_broadcast() with the output. It returns null if the
/// backend cannot.
using FuseFn = std::unique_ptr<PreparedKernel> (*)(std::span<const ChainOp> chain);

/// An op whose result is read by a chain alone, so that the chain can be fused into it.
struct Producer {
  Op op;
  AttrsView attrs;
  std::size_t inputs;              ///< number of its inputs, which come first among the chain's
  const PreparedKernel* prepared;  ///< kernel that its backend prepared, or null; outlives the fused one
  Shape x;                         ///< shape of its first input
  Shape filter;                    ///< shape of its second input
};

/// A function that fuses an op and the chain that reads its result into one kernel. The chain's first op has
/// the result as operand -1. It returns null if the backend cannot.
using FuseIntoProducerFn = std::unique_ptr<PreparedKernel> (*)(const Producer& head,
                                                               std::span<const ChainOp> chain);

/// A function that computes an optimizer step (lists/optimizers.def), from a value and its slots to the next
/// ones, whose bytes may be the same.
using UpdateFn = void (*)(const UpdateAttrs& attrs, const Tensor& gradient, std::span<const Tensor> before,
                          std::span<Tensor> after);

/// The kernels of a processor: one for each primitive op, null where it has none.
struct Backend {
  std::string_view name;
  std::array<KernelFn, kPrimitiveCount> kernels;
  /// The memory that the kernels work on. Null for the CPU's own.
  Device* device = nullptr;
  PrepareFn prepare = nullptr;
  WarmUpFn warm_up = nullptr;
  FuseFn fuse = nullptr;
  /// Null if chains cannot be fused into the op before them.
  FuseIntoProducerFn fuse_into_producer = nullptr;
  /// Null if optimizer steps are composed of ops.
  UpdateFn update = nullptr;
  /// Number of times that use_cpu_kernels() replaced the kernels.
  unsigned replaced = 0;

  KernelFn kernel(Op op) const { return kernels[static_cast<std::size_t>(op)]; }
  /// True if the kernels work on memory apart from the CPU's.
  bool is_device() const { return device != nullptr; }
  /// True if its device is lost, or was not started.
  bool is_lost() const { return device && device->is_lost(); }
  /// Returns a number that changes when prepared kernels are to be made again: Device::generation(), or for
  /// the CPU how often its kernels were replaced.
  unsigned generation() const { return device ? device->generation() : replaced; }
  /// True if tensors of this spec can be where the kernels read and write them.
  bool supports(const TensorSpec& spec) const { return !device || device->supports(spec); }
};

/// Returns the CPU backend, which has a kernel for every primitive op. Defined in cpu/backend.cpp.
const Backend& cpu_backend();
/// Replaces the kernels of cpu_backend() by those that `other` has, which were compiled for further
/// instructions of the processor. Prepared kernels and plans of before stay valid; sessions make theirs
/// again.
void use_cpu_kernels(const Backend& other);

}  // namespace tenure
