#pragma once

#include "core/shape.h"

namespace tenure {

/// The extent of dimensions that become one. Throws when an extent is negative, or there are 2^31 elements or
/// more.
inline std::int32_t merged(const Shape& extents) {
  extents.validate();
  return static_cast<std::int32_t>(extents.elements());
}

}  // namespace tenure
