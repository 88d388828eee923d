#pragma once

#include "import/onnx/row.h"

namespace tenure::onnx {

/// Runs an op of the last axis along `axis`. `flattens` makes all axes from that on one.
Tensor run_along_axis(Op op, const Tensor& x, int axis, bool flattens);

}  // namespace tenure::onnx
