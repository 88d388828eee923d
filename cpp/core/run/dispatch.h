#pragma once

#include "core/run/backend.h"
#include "core/run/op.h"

namespace tenure {

/// Runs an op with one output: checks and infers (the only place that throws for bad arguments, before
/// anything is allocated), allocates, runs the kernel, records. A throw leaves nothing behind. Errors begin
/// with "[jsName] ".
Tensor run(Op op, Inputs in, AttrsView attrs = {});

/// Likewise for any op, composed ones included.
Tensors run_all(Op op, Inputs in, AttrsView attrs = {});

/// Runs a kernel of a plan that has inferred and placed the output before: what was prepared, or else the
/// kernel, or else the fallback.
void run_step(Op op, const KernelArgs& args, KernelFn kernel, const PreparedKernel* prepared);
/// Runs the CPU's kernel, and counts it as a fallback: for kernels that cannot do all that their op can.
void fall_back(Op op, const KernelArgs& args);

/// Chooses where ops run; kernels that the backend lacks run on the CPU, and are counted.
void set_backend(const Backend& backend);
/// Replaces the backend until the next exchange; returns the one before.
const Backend& exchange_backend(const Backend& backend);
/// After a raw call that was cut short: ops run on the backend of set_backend() again, and none is traced.
void repair_dispatch() noexcept;
const Backend& backend();
/// The chosen backend, or the CPU's while the device is lost.
const Backend& usable_backend();
std::size_t fallback_count();

/// Runs ops on another backend until the end of the block.
class BackendGuard {
 public:
  explicit BackendGuard(const Backend& other) : previous_(exchange_backend(other)) {}
  ~BackendGuard() { exchange_backend(previous_); }
  BackendGuard(const BackendGuard&) = delete;
  BackendGuard& operator=(const BackendGuard&) = delete;

 private:
  const Backend& previous_;
};

/// Elements of an output from which an op on values of the CPU is worth a device's while; 0 sends all there.
constexpr std::size_t kLeastForDevice = 4096;
void set_least_for_device(std::size_t elements);
std::size_t least_for_device();

/// Elements from which the results of cheap elementwise ops wait to be read (core/run/lazy.h): fewer stay in
/// a core's own caches, from which ops read as fast as they compute.
constexpr std::size_t kLeastLazy = std::size_t{1} << 19;
void set_least_lazy(std::size_t elements);
std::size_t least_lazy();

}  // namespace tenure
