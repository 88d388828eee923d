#pragma once

#include "core/run/op.h"

/// Lazy evaluation of cheap elementwise ops on many floats, whose time goes into reading and writing memory:
/// on the CPU they wait until somebody reads what they make. An op that reads the result of one that waits
/// goes on from it, so that both go over memory once. What waits keeps its inputs: settle() is to be called
/// when handles have let go of tensors.
namespace tenure::lazy {

/// The result of an elementwise op on many elements that waits, or that goes on from one that did; an empty
/// tensor where the op is to run as others do. All inputs have data.
Tensor evaluate(Op op, Inputs in, AttrsView attrs, const TensorSpec& spec);

/// How many results wait.
std::size_t count();

/// Computes what still waits for buffers of which no handle is left, so that they are freed. Where memory
/// ends, it goes on waiting.
void settle() noexcept;

/// After a raw call that was cut short: forgets the results that wait no more.
void repair() noexcept;

}  // namespace tenure::lazy
