#pragma once

#include "import/onnx/row.h"

namespace tenure::onnx {

/// Returns indices counted from 0 of which negative ones count from the end of a dimension.
Tensor from_start(const Tensor& indices, std::int32_t extent);

}  // namespace tenure::onnx
