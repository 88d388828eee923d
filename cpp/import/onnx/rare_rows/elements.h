#pragma once

#include "import/onnx/row.h"

namespace tenure::onnx {

/// Returns the elements of x at the indices along an axis, as GatherElements does: the shape is that of the
/// indices. Throws if the ranks differ.
Tensor gather_elements(const Tensor& x, const Tensor& indices, int axis);

}  // namespace tenure::onnx
