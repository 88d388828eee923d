#pragma once

#include "core/run/op.h"

/// Lazy evaluation of cheap elementwise ops on many floats, which are bound by memory bandwidth: on the CPU
/// they are deferred until their result is read. An op that reads a pending result is appended to its chain,
/// so that both take one pass over memory. A pending result keeps its inputs alive: flush() must be called
/// after handles have released tensors.
namespace tenure::lazy {

/// Defers an elementwise op on many elements, or runs it fused with the pending chain that it reads. Returns
/// an empty tensor if the op is to run eagerly. All inputs must have data.
Tensor evaluate(Op op, Inputs in, AttrsView attrs, const TensorSpec& spec);

/// Returns the number of pending results.
std::size_t count();

/// Computes the pending results that read buffers without handles, so that these are freed. A result stays
/// pending if memory is exhausted.
void flush() noexcept;

/// Forgets the results that are no longer pending, after a raw call was interrupted.
void repair() noexcept;

}  // namespace tenure::lazy
