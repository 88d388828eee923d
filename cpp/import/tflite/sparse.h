#pragma once

#include "core/tensor.h"
#include "import/tflite/schema.h"

namespace tenure::tflite {

/// Returns the dense tensor of a sparse one's values, a vector of float32 or int32. Throws unless the
/// sparsity has exactly these values, all within `shape`.
Tensor make_dense(const Sparsity& sparsity, const Tensor& values, const Shape& shape);

}  // namespace tenure::tflite
