#pragma once

#include <span>

#include "core/shape.h"

namespace tenure {

/// Returns the batch dimensions: all but the last two. The rank must be at least 2.
inline Shape get_batch_dims(const Shape& shape) { return Shape(std::span(shape.begin(), shape.end() - 2)); }

/// True if a bias has one value for each column, or one for all.
inline bool is_column_bias(const Shape& bias, int columns) {
  const std::size_t count = bias.elements();
  return count == 1 || (count == static_cast<std::size_t>(columns) && bias.back() == columns);
}

}  // namespace tenure
