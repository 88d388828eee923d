#pragma once

#include "core/tensor.h"
#include "import/tflite/schema.h"

namespace tenure::tflite {

/// Returns the dense tensor of a sparse one's values, a vector of float32 or int32. Throws unless the
/// sparsity, a table of the file, is valid and has exactly these values, all within `shape`.
Tensor make_dense(const Table& sparsity, const Tensor& values, const Shape& shape);

}  // namespace tenure::tflite
