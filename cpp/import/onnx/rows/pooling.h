#pragma once

#include "import/onnx/row.h"

namespace tenure::onnx {

/// Returns the attribute "kernel_shape".
Dims read_kernel(const Call& call);

/// Returns the mean of each window of x, with the node's attributes.
Tensor average_windows(const Call& call, const Tensor& x, bool counts_pads);

}  // namespace tenure::onnx
