#pragma once

#include "import/onnx/row.h"

namespace tenure::onnx {

/// Splits [batch, length, heads * size] into [batch, heads, length, size].
Tensor split_heads(const Tensor& x, std::int32_t heads);
/// Returns the inverse of split_heads().
Tensor join_heads(const Tensor& x);

/// The angles of a rotary embedding: cosines and sines [batch or 1, length, size / 2].
struct Rotation {
  Tensor cosines;
  Tensor sines;
  bool is_interleaved = false;  ///< pairs are neighbors instead of halves
};

/// Rotates the first elements of each head of [batch, heads, length, size] by the angles.
Tensor rotate(const Tensor& x, const Rotation& rotation);

/// Returns the angles of `length` positions from `start` on: rows of caches [positions, size / 2].
Rotation slice_rotation(const Tensor& cosines, const Tensor& sines, std::int32_t start, std::int32_t length);

}  // namespace tenure::onnx
