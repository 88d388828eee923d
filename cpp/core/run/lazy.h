#pragma once

#include "core/run/backend.h"

/// Lazy evaluation of elementwise ops on many floats, which are bound by memory bandwidth: they are deferred
/// until their result is read. On the CPU these are the cheap ones, on a device all. An op that reads a
/// pending result is appended to its chain, so that both take one pass over memory. A pending result keeps
/// its inputs alive: flush() must be called after handles have released tensors.
namespace tenure::lazy {

/// Defers an elementwise op on many elements, or runs it fused with the pending chain that it reads. Returns
/// an empty tensor if the op is to run eagerly. `backend` is to compute it, and supports the result and the
/// inputs, all of which must have data.
Tensor evaluate(const Backend& backend, Op op, Inputs in, AttrsView attrs, const TensorSpec& spec);

/// Returns the number of pending results.
std::size_t count();

/// Computes the pending results that read buffers without handles, so that these are freed. A result stays
/// pending if memory is exhausted; one whose device is lost is not pending anymore.
void flush() noexcept;

/// Forgets the results that are no longer pending, after a raw call was interrupted.
void repair() noexcept;

}  // namespace tenure::lazy
