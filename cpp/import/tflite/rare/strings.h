#pragma once

#include "core/tensor.h"

namespace tenure::tflite {

/// Decodes strings of a file: their number, the position of each and of the end, and the text. Throws unless
/// `shape` has as many.
Tensor decode_strings(std::span<const std::byte> raw, const Shape& shape);

}  // namespace tenure::tflite
