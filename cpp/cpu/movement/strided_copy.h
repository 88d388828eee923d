#pragma once

#include "core/tensor.h"

namespace tenure::cpu {

/// Copy in which each output dimension is a fixed stride through the input: slices, transpositions,
/// reversals. Dimensions are added outermost first; contiguous ones are collapsed. Elements are moved as
/// bytes, words or pairs of words, whatever their type.
class StridedCopy {
 public:
  /// Starts at element `origin` of the input.
  explicit StridedCopy(std::ptrdiff_t origin = 0) : origin_(origin) {}

  /// Adds the next inner dimension of the output: `extent` elements that are `stride` elements apart in the
  /// input.
  void add(std::ptrdiff_t extent, std::ptrdiff_t stride);
  /// Fills `out`, whose number of elements is the product of the extents and at least one.
  void run(const Tensor& in, Tensor& out) const;

 private:
  struct Dimension {
    std::ptrdiff_t extent;
    std::ptrdiff_t from;
    std::ptrdiff_t to;
  };
  /// Calls visit(from, to) with the input and output offset of each index of the given dimensions.
  template <class Visit>
  static void for_each(const Dimension* dimensions, int rank, Visit visit);
  template <class T>
  void share(const T* in, T* out) const;
  template <class T>
  void copy(const T* in, T* out) const;
  template <class T>
  bool copy_transposed(const T* in, T* out) const;

  std::ptrdiff_t origin_;
  int rank_ = 0;
  Dimension dimensions_[kMaxRank];
};

}  // namespace tenure::cpu
