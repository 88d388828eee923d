#pragma once

#include <array>
#include <string_view>

#include "gl/shader/kernel.h"

namespace tenure::gl {

/// The dimensions of an output, outermost first, and the steps that each makes through up to three inputs:
/// slices, transpositions, repetitions, broadcasts. Dimensions that continue one another in all inputs become
/// one.
struct Walk {
  static constexpr int kMostInputs = 3;
  using Steps = std::array<int, kMostInputs>;

  /// Dimensions of extent 1 are left out; throws beyond kMaxRank of the others.
  void add(std::int32_t extent, const Steps& steps);
  /// One dimension at least, so that shaders need no case for none.
  void finish();
  /// True when `extent` and `steps` would find no place.
  bool full() const { return rank == kMaxRank; }
  /// Gives a pass what kWalkSource reads.
  void describe(Pass& pass, int inputs) const;

  int rank = 0;
  int extent[kMaxRank];
  Steps step[kMaxRank];
};

/// GLSL: begin_at(e) sets `place` to where the walk's element e lies, an int, or a vector of them for two or
/// three inputs; then go_on() to where the next one lies. Written out for each rank, since rasterizers on the
/// CPU keep loops.
extern const std::string_view kWalkSource;

}  // namespace tenure::gl
