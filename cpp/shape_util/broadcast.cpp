#include "shape_util/broadcast.h"

#include <algorithm>

namespace tenure {

BroadcastPlan::BroadcastPlan(const Shape& a, const Shape& b, const Shape& out) {
  std::size_t full_a = 1;
  std::size_t full_b = 1;
  // From the last dimension to the first; reversed at the end.
  for (int i = 0; i < out.rank; ++i) {
    const auto width = static_cast<std::size_t>(out.back(i));
    const std::size_t in_a = i < a.rank && a.back(i) != 1 ? full_a : 0;
    const std::size_t in_b = i < b.rank && b.back(i) != 1 ? full_b : 0;
    if (i < a.rank) full_a *= static_cast<std::size_t>(a.back(i));
    if (i < b.rank) full_b *= static_cast<std::size_t>(b.back(i));
    if (width == 1) continue;
    if (rank > 0) {
      const int inner = rank - 1;
      if (in_a == stride_a[inner] * extent[inner] && in_b == stride_b[inner] * extent[inner]) {
        extent[inner] *= width;
        continue;
      }
    }
    extent[rank] = width;
    stride_a[rank] = in_a;
    stride_b[rank] = in_b;
    ++rank;
  }
  if (rank == 0) {
    extent[0] = 1;
    stride_a[0] = stride_b[0] = 1;
    rank = 1;
  }
  std::reverse(extent, extent + rank);
  std::reverse(stride_a, stride_a + rank);
  std::reverse(stride_b, stride_b + rank);
}

}  // namespace tenure
