#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "shape_util/reduce.h"

namespace tenure {

/// Decomposition of a GPU reduction of [outer, reduced, inner] into parallel threads (fragments), each with
/// its own loop. Memory is read in texels of four consecutive elements.
struct ReductionPlan {
  enum Kind : std::uint8_t {
    kColumns,  ///< texel by texel; `folds` neighbours of the reduced dimension are reduced separately, and
               ///< so are its `parts`
    kRows,     ///< each output from a contiguous row
    kStrided,  ///< each output from elements with stride `inner`
  };

  explicit ReductionPlan(const Extents& e) {
    const std::size_t min_folds = std::lcm(e.inner, std::size_t{4}) / e.inner;
    const bool texels = e.outer == 1 || e.reduced * e.inner % 4 == 0;
    const bool is_long = e.reduced >= (e.inner % 4 == 0 ? kLongColumn : kLongRow);
    kind = e.inner == 1 ? kRows : kStrided;
    if (!texels || (min_folds > 1 && !is_long)) return;
    kind = kColumns;
    folds = min_folds;
    if (!is_long) return;
    const auto fragments = [&] { return e.outer * parts * folds * e.inner / 4; };
    const auto chunk = [&] { return e.reduced / folds / parts; };
    while (folds * e.inner < kLine && chunk() > kMinChunk) folds *= 2;
    const std::size_t max_chunk = std::max(kMaxSpan / (folds * e.inner), kMinChunk);
    while ((fragments() < kTargetFragments && chunk() > kMinChunk) || chunk() > max_chunk) parts *= 2;
  }

  Kind kind;
  std::size_t folds = 1;
  std::size_t parts = 1;

 private:
  static constexpr std::size_t kLongRow = 512;
  static constexpr std::size_t kLongColumn = 64;
  /// Elements of a line. Neighbouring fragments read neighbouring texels.
  static constexpr std::size_t kLine = 32;
  static constexpr std::size_t kMinChunk = 16;
  static constexpr std::size_t kTargetFragments = 1024;
  /// Maximum number of elements that one fragment reads over, so that their memory pages stay cached.
  static constexpr std::size_t kMaxSpan = 65536;
};

}  // namespace tenure
