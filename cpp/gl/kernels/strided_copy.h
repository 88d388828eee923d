#pragma once

#include "gl/shader/walk.h"

namespace tenure::gl {

/// A copy whose every output element comes from a fixed step through the input, as
/// cpu/movement/strided_copy.h has it.
class StridedCopy {
 public:
  /// Starts at element `origin` of the input.
  explicit StridedCopy(int origin = 0) : origin_(origin) {}

  /// The next dimension of the output, outermost first: `extent` elements, `step` elements of the input
  /// apart.
  void add(std::int32_t extent, int step) { walk_.add(extent, {step, step, step}); }
  /// True when another dimension would find no place.
  bool full() const { return walk_.full(); }
  /// Fills `out`, whose elements are the product of the extents, at least one.
  void run(const Tensor& in, Tensor& out);

 private:
  enum Read : std::uint8_t { kTexels, kNeighbours, kOneLane, kAnywhere };
  Read read() const;

  int origin_;
  Walk walk_;
};

}  // namespace tenure::gl
