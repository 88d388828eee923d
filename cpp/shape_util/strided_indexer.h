#pragma once

#include <array>
#include <cstdint>

#include "core/error.h"
#include "core/shape.h"

namespace tenure {

/// Iteration space of an output, outermost dimension first, with a stride of each dimension in up to three
/// inputs: for slices, transpositions, tilings and broadcasts. Adjacent dimensions that are contiguous in all
/// inputs are merged. A GPU backend passes it to a kernel as uniforms.
struct StridedIndexer {
  static constexpr int kMaxInputs = 3;
  using Strides = std::array<int, kMaxInputs>;

  /// Adds the next dimension; extents of 1 are dropped. Throws if more than kMaxRank remain.
  void add(std::int32_t width, const Strides& strides) {
    if (width == 1) return;
    if (rank > 0) {
      bool continues = true;
      for (int k = 0; k < kMaxInputs; ++k) continues = continues && stride[rank - 1][k] == width * strides[k];
      if (continues) {
        extent[rank - 1] *= width;
        stride[rank - 1] = strides;
        return;
      }
    }
    check(!full(), "has too many dimensions for a shader");
    extent[rank] = width;
    stride[rank++] = strides;
  }
  /// Adds a dimension if there is none, so that shaders need no case for rank 0.
  void finish() {
    if (rank > 0) return;
    extent[0] = 1;
    stride[rank++] = {1, 1, 1};
  }
  /// True if another dimension might not fit.
  bool full() const { return rank == kMaxRank; }

  int rank = 0;
  int extent[kMaxRank];
  Strides stride[kMaxRank];
};

}  // namespace tenure
