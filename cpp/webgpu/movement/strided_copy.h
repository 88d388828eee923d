#pragma once

#include "core/tensor.h"
#include "shape_util/strided_indexer.h"

namespace tenure::webgpu {

/// A strided copy of one tensor, as in cpu/movement/strided_copy.h.
class StridedCopy {
 public:
  /// Starts at element `origin` of the input.
  explicit StridedCopy(int origin = 0) : origin_(origin) {}

  /// Adds the next dimension of the output, outermost first: `extent` elements with stride `stride` in the
  /// input.
  void add(std::int32_t extent, int stride) { indexer_.add(extent, {stride, stride, stride}); }
  /// True if another dimension might not fit.
  bool full() const { return indexer_.full(); }
  /// Writes `out`, whose number of elements is the product of the extents, at least one.
  void run(const Tensor& in, Tensor& out);

 private:
  /// True if vec4s of the output are vec4s of the input.
  bool copies_vec4s() const;
  /// Returns the output dimension with input stride 1, other than the last, if vec4s can be copied in blocks
  /// of it and the last dimension; else -1.
  int find_transposed_dimension() const;
  void run_transposed(int transposed, const Tensor& in, Tensor& out) const;

  int origin_;
  StridedIndexer indexer_;
};

}  // namespace tenure::webgpu
