#pragma once

#include <span>

#include "core/shape.h"

namespace tenure {

/// The dimensions that number the matrices: all but the last two, of which there must be two.
inline Shape batch_of(const Shape& shape) { return Shape(std::span(shape.begin(), shape.end() - 2)); }

/// Whether a bias has one value for each column, or one for all.
inline bool is_for_columns(const Shape& bias, int columns) {
  const std::size_t count = bias.elements();
  return count == 1 || (count == static_cast<std::size_t>(columns) && bias.back() == columns);
}

}  // namespace tenure
