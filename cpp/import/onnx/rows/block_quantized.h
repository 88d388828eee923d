#pragma once

#include "import/onnx/row.h"

namespace tenure::onnx {

/// Returns the weights of a MatMulNBits node with these attributes as float32, [N, K]. `zeros` may be empty.
/// Throws for packed weights, scales or zero points that do not fit the attributes.
Tensor dequantize_blocks(const Attributes& attrs, const Tensor& bytes, const Tensor& scales,
                         const Tensor& zeros);

}  // namespace tenure::onnx
