#pragma once

#include "import/onnx/row.h"

namespace tenure::onnx {

/// Returns the attribute "kernel_shape".
Dims read_kernel(const Call& call);

/// The pads that count as pixels of a window's mean: none, those that the node states, or also what windows
/// reach behind these if their number is rounded up.
enum class CountedPads { kNone, kGiven, kAll };

/// Returns the maximum of each window of x, with the node's attributes. x has the shape of input 0.
Tensor max_windows(const Call& call, const Tensor& x);

/// Returns the mean of each window of x, with the node's attributes. x has the shape of input 0.
Tensor average_windows(const Call& call, const Tensor& x, CountedPads counted);

}  // namespace tenure::onnx
