#pragma once

#include <cstddef>

#include "core/shape.h"

namespace tenure {

/// Two shapes broadcast to a third, with adjacent dimensions collapsed where both inputs allow it. Strides
/// are in elements, 0 along a broadcast dimension.
struct BroadcastPlan {
  BroadcastPlan(const Shape& a, const Shape& b, const Shape& out);
  int rank = 0;
  std::size_t extent[kMaxRank];
  std::size_t stride_a[kMaxRank];
  std::size_t stride_b[kMaxRank];
};

}  // namespace tenure
