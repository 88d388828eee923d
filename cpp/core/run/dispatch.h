#pragma once

#include <optional>
#include <string_view>

#include "core/run/backend.h"
#include "core/run/op.h"

namespace tenure {

/// Runs an op with one output: checks the arguments, infers and allocates the output, runs the kernel, and
/// records the op on tapes. Only the checks and the inference throw for bad arguments, before anything is
/// allocated. A throw leaves nothing behind. Messages of errors begin with "[jsName] ".
Tensor run(Op op, Inputs in, AttrsView attrs = {});

/// Runs any op, composed ones included, and returns all its outputs. Throws as run() does.
Tensors run_all(Op op, Inputs in, AttrsView attrs = {});

/// Runs the kernel of a plan's step, whose output is already inferred and placed: `prepared` or else `kernel`
/// or else the CPU fallback.
void run_planned(Op op, const KernelArgs& args, KernelFn kernel, const PreparedKernel* prepared);
/// Runs the CPU's kernel and counts it as a fallback. For kernels that support only a part of their op.
void run_cpu_fallback(Op op, const KernelArgs& args);

/// Scope: the node of a model whose kernels run, which errors that a device reports later name.
class NodeScope {
 public:
  /// `name` must live until the end of the scope; empty for a kernel of no node.
  explicit NodeScope(std::string_view name);
  ~NodeScope();
  NodeScope(const NodeScope&) = delete;
  NodeScope& operator=(const NodeScope&) = delete;

 private:
  std::string_view previous_;
};
/// Returns the name of the innermost NodeScope; empty outside.
std::string_view current_node();

/// Sets the backend that runs ops. Ops for which it has no kernel run on the CPU, and are counted as
/// fallbacks.
void set_backend(const Backend& backend);
/// Replaces the backend until the next exchange and returns the previous one.
const Backend& exchange_backend(const Backend& backend);
/// Restores the backend of set_backend() and ends tracing, after a raw call was interrupted.
void repair_dispatch() noexcept;
const Backend& backend();
/// Returns the current backend, or the CPU's while the device is lost.
const Backend& usable_backend();
/// True if the tensor's values are only on the backend's device, and the device has no fast synchronous
/// reads.
bool must_stay_on_device(const Tensor& tensor, const Backend& backend);
std::size_t fallback_count();

/// Scope: ops run on another backend, but for those on values that must stay on the device of set_backend().
class BackendGuard {
 public:
  explicit BackendGuard(const Backend& other) : previous_(exchange_backend(other)) {}
  ~BackendGuard() { exchange_backend(previous_); }
  BackendGuard(const BackendGuard&) = delete;
  BackendGuard& operator=(const BackendGuard&) = delete;

 private:
  const Backend& previous_;
};

/// Sets the number of output elements from which an op on values of the CPU runs on the device; 0 sends all
/// there. nullopt restores the device's own (DeviceCosts::min_elements).
void set_min_elements_for_device(std::optional<std::size_t> elements);
/// Returns the number in force: the one that was set, that of the current backend's device, or the default.
std::size_t min_elements_for_device();

/// Default number of elements from which elementwise ops are deferred until their results are read
/// (core/run/lazy.h): the cheap ones on the CPU, all on WebGPU. On the CPU smaller results stay in a core's
/// own caches, from which ops read as fast as they compute. On WebGPU each new chain compiles a kernel, which
/// smaller results do not repay.
constexpr std::size_t kMinLazyElements = std::size_t{1} << 19;
void set_min_lazy_elements(std::size_t elements);
std::size_t min_lazy_elements();

}  // namespace tenure
