#pragma once

#include "core/memory/growing_rows.h"
#include "import/onnx/row.h"
#include "ops/ops.h"

/// Caches of keys and values, [..., length, size], that a model takes, appends to and returns.
namespace tenure::onnx {

/// Concatenates a cache and new rows along `axis`. On the CPU, a cache that comes from an earlier run, and is
/// not a copy from JavaScript, is kept in a block with capacity (GrowingRows), so that appending does not
/// copy it. The result is then for multiply_by_cache().
Tensor append_to_cache(const Tensor& past, const Tensor& rows, int axis);

/// Returns mat_mul(a, b), reading b in its block. b must be GrowingRows.
Tensor multiply_by_grown(const Tensor& a, const Tensor& b, const MatMulAttrs& attrs);

/// Returns mat_mul(a, b). Reads the result of append_to_cache() in its block.
inline Tensor multiply_by_cache(const Tensor& a, const Tensor& b, const MatMulAttrs& attrs = {}) {
  return GrowingRows::of(b) ? multiply_by_grown(a, b, attrs) : mat_mul(a, b, attrs);
}

}  // namespace tenure::onnx
