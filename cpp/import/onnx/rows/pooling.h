#pragma once

#include "import/onnx/windows.h"

namespace tenure::onnx {

/// Returns the attribute "kernel_shape".
Dims read_kernel(const Call& call);

/// Returns the windows of a pooling of input 0. "ceil_mode" becomes pads.
WindowArgs read_pool(const Call& call);

/// The pads that count as pixels of a window's mean: none, those that the node states, or also what windows
/// reach behind these if their number is rounded up.
enum class CountedPads { kNone, kGiven, kAll };

/// Returns the mean of each window of x, with the node's attributes. x has the shape of input 0.
Tensor average_windows(const Call& call, const Tensor& x, CountedPads counted);

}  // namespace tenure::onnx
