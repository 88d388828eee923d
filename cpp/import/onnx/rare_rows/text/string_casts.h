#pragma once

#include "core/tensor.h"

namespace tenure::onnx {

/// Returns numbers as strings: floats with up to eight significant digits, and "NaN", "INF" and "-INF", as
/// onnxruntime writes them; bools as "0" and "1".
Tensor format_numbers(const Tensor& x);
/// Reads numbers from strings, and "NaN" and "INF" with or without a sign. Integers are truncated toward
/// zero. Those beyond int32 wrap around, or are errors if they `must_fit`. Throws for other strings.
Tensor parse_numbers(const Tensor& x, DType to, bool must_fit = false);

}  // namespace tenure::onnx
