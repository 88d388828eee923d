#pragma once

#include <cstddef>

#include "core/shape.h"

namespace tenure {

/// A tensor viewed as [outer, reduced, inner].
struct Extents {
  std::size_t outer;
  std::size_t reduced;
  std::size_t inner;
};

/// The dimensions of a reduction's input, collapsed to alternating kept and reduced ones. Dimensions of
/// extent 1 belong to either.
class CollapsedReduction {
 public:
  CollapsedReduction(const Shape& shape, const Dims& axes) {
    for (int i = 0; i < shape.rank; ++i) {
      if (shape[i] == 1) continue;
      const bool reduces = axes.contains(i);
      if (count_ == 0 || reduced_[count_ - 1] != reduces) {
        extent_[count_] = 1;
        reduced_[count_++] = reduces;
      }
      extent_[count_ - 1] *= static_cast<std::size_t>(shape[i]);
    }
  }

  /// Removes the last reduced dimension, and returns it between the products of those before and after it.
  /// Returns {1, 1, elements} if none is left.
  Extents pop() {
    if (!any_reduced()) return {1, 1, product(0, count_)};
    const int at = reduced_[count_ - 1] ? count_ - 1 : count_ - 2;
    const Extents result{product(0, at), extent_[at], product(at + 1, count_)};
    // Its neighbours are both kept, and become one dimension.
    count_ = at;
    if (at > 0) {
      extent_[at - 1] *= result.inner;
    } else if (result.inner > 1) {
      extent_[0] = result.inner;
      reduced_[0] = false;
      count_ = 1;
    }
    return result;
  }
  bool any_reduced() const { return count_ > 1 || (count_ == 1 && reduced_[0]); }

 private:
  std::size_t product(int first, int last) const {
    std::size_t result = 1;
    for (int i = first; i < last; ++i) result *= extent_[i];
    return result;
  }
  int count_ = 0;
  std::size_t extent_[kMaxRank] = {};
  bool reduced_[kMaxRank] = {};
};

}  // namespace tenure
