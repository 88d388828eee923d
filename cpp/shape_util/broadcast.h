#pragma once

#include <cstddef>

#include "core/shape.h"

namespace tenure {

/// Two shapes broadcast to one, neighbouring dimensions merged where both inputs run through them alike.
struct BroadcastPlan {
  BroadcastPlan(const Shape& a, const Shape& b, const Shape& out);
  int rank = 0;
  std::size_t extent[kMaxRank];
  std::size_t step_a[kMaxRank];
  std::size_t step_b[kMaxRank];
};

}  // namespace tenure
