#pragma once

#include "core/shape.h"

namespace tenure {

/// Returns the product of the extents of dimensions that become one. Throws if an extent is negative, or if
/// there are 2^31 elements or more.
inline std::int32_t collapsed_extent(const Shape& extents) {
  extents.validate();
  return static_cast<std::int32_t>(extents.elements());
}

}  // namespace tenure
