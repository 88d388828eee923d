#pragma once

#include "core/tensor.h"

namespace tenure::cpu {

/// A copy whose every output element comes from a fixed step through the input: slices, transpositions,
/// reversals. Dimensions are added outermost first; those that continue one another become one. Elements are
/// moved as words, pairs of them or bytes, whatever their type.
class StridedCopy {
 public:
  /// Starts at element `origin` of the input.
  explicit StridedCopy(std::ptrdiff_t origin = 0) : origin_(origin) {}

  /// The next dimension of the output: `extent` elements, `step` elements of the input apart.
  void add(std::ptrdiff_t extent, std::ptrdiff_t step);
  /// Fills `out`, whose elements are the product of the extents, at least one.
  void run(const Tensor& in, Tensor& out) const;

 private:
  struct Dimension {
    std::ptrdiff_t extent;
    std::ptrdiff_t from;
    std::ptrdiff_t to;
  };
  /// Calls visit(from, to) with the offsets of each index of the given dimensions.
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
