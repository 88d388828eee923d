#pragma once

#include "core/tensor.h"

namespace tenure::onnx {

/// Returns numbers as strings: floats with up to eight significant digits, and "NaN", "INF" and "-INF", as
/// onnxruntime writes them; bools as "0" and "1".
Tensor format_numbers(const Tensor& x);
/// Reads numbers from strings, and "NaN" and "INF" with or without a sign. Integers are truncated toward zero
/// and clamped to the range of int32, or, if they `must_fit`, errors beyond it. Throws for other strings.
Tensor parse_numbers(const Tensor& x, DType to, bool must_fit = false);

}  // namespace tenure::onnx
