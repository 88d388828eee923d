#pragma once

#include <array>
#include <string_view>

#include "gl/shader/kernel.h"

namespace tenure::gl {

/// Iteration space of an output, outermost dimension first, with a stride of each dimension in up to three
/// inputs: for slices, transpositions, tilings and broadcasts. Adjacent dimensions that are contiguous in all
/// inputs are merged.
struct Walk {
  static constexpr int kMostInputs = 3;
  using Steps = std::array<int, kMostInputs>;

  /// Adds the next dimension; extents of 1 are dropped. Throws if more than kMaxRank remain.
  void add(std::int32_t extent, const Steps& steps);
  /// Adds a dimension if there is none, so that shaders need no case for rank 0.
  void finish();
  /// True if another dimension might not fit.
  bool full() const { return rank == kMaxRank; }
  /// Sets the macros and uniforms that kWalkSource reads.
  void describe(Pass& pass, int inputs) const;

  int rank = 0;
  int extent[kMaxRank];
  Steps step[kMaxRank];
};

/// GLSL of the iteration. begin_at(e) sets `place` to the offset of output element e in the input: an int, or
/// a vector for two or three inputs. go_on() advances it to the next element. Unrolled for each rank, since
/// software renderers do not unroll loops.
extern const std::string_view kWalkSource;

}  // namespace tenure::gl
