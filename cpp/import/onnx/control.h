#pragma once

#include "import/onnx/row.h"

/// The rows of nodes that files do not have: the parts into which the reader takes control flow apart.
namespace tenure::onnx::control {

extern const Row kIfRow;
extern const Row kWhileRow;
/// Returns the node's constant.
extern const Row kConstantRow;
/// Returns the number after an iteration's number.
extern const Row kNextRow;
/// Takes the number of an iteration, the number of iterations and, optionally, a condition. Returns whether
/// the loop continues.
extern const Row kContinueRow;
/// Returns a new sequence without tensors.
extern const Row kEmptySequenceRow;
/// Appends input 1 to the sequence of input 0, and returns the sequence.
extern const Row kAppendRow;
/// Stacks a sequence's tensors along the attribute "axis", in reverse if "reverse" is set. Without tensors
/// the elements have the attributes "shape" and "dtype".
extern const Row kStackRow;
/// Returns the slice of input 0 at the index of input 1 along the attribute "axis", from the end if
/// "reverse".
extern const Row kTakeRow;
/// Returns input 0's extent along the attribute "axis".
extern const Row kExtentRow;
/// Returns the length of the sequence of input 0. Throws if another input is a sequence of another length.
extern const Row kLengthRow;
/// Returns the tensor of a sequence, input 0, at the index of input 1, or input 0 itself if it is a tensor.
extern const Row kElementRow;

}  // namespace tenure::onnx::control
