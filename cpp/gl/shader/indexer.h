#pragma once

#include <array>
#include <string_view>

#include "gl/shader/kernel.h"

namespace tenure::gl {

/// Iteration space of an output, outermost dimension first, with a stride of each dimension in up to three
/// inputs: for slices, transpositions, tilings and broadcasts. Adjacent dimensions that are contiguous in all
/// inputs are merged.
struct StridedIndexer {
  static constexpr int kMaxInputs = 3;
  using Strides = std::array<int, kMaxInputs>;

  /// Adds the next dimension; extents of 1 are dropped. Throws if more than kMaxRank remain.
  void add(std::int32_t extent, const Strides& strides);
  /// Adds a dimension if there is none, so that shaders need no case for rank 0.
  void finish();
  /// True if another dimension might not fit.
  bool full() const { return rank == kMaxRank; }
  /// Sets the macros and uniforms that kStridedIndexerSource reads.
  void describe(Pass& pass, int inputs) const;

  int rank = 0;
  int extent[kMaxRank];
  Strides stride[kMaxRank];
};

/// GLSL of the iteration. seek(e) sets `place` to the offset of output element e in the input: an int, or
/// a vector for two or three inputs. next() advances it to the next element. Unrolled for each rank, since
/// software renderers do not unroll loops.
extern const std::string_view kStridedIndexerSource;

}  // namespace tenure::gl
