#pragma once

#include "core/backend.h"
#include "core/op.h"

namespace tenure {

/// Runs an op with one output: checks and infers (the only place that throws for bad arguments, before
/// anything is allocated), allocates, runs the kernel, records. A throw leaves nothing behind. Errors begin
/// with "[jsName] ".
Tensor run(Op op, Inputs in, AttrsView attrs = {});

/// Likewise for any op, composed ones included.
Tensors run_all(Op op, Inputs in, AttrsView attrs = {});

/// Runs the kernel alone, or what was prepared in its place, for a plan that has inferred and placed the
/// output before.
void run_step(Op op, const KernelArgs& args, const PreparedKernel* prepared);
/// Runs the CPU's kernel, and counts it as a fallback: for kernels that cannot do all that their op can.
void fall_back(Op op, const KernelArgs& args);

/// Chooses where ops run; kernels that the backend lacks run on the CPU, and are counted.
void set_backend(const Backend& backend);
const Backend& backend();
std::size_t fallback_count();

}  // namespace tenure
