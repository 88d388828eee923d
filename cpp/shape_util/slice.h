#pragma once

#include "core/attrs.h"

namespace tenure {

/// Which elements a slice takes: along each dimension of the input, `count` of them from `begin` on, `stride`
/// apart.
struct Slicing {
  Dims begin;
  Dims stride;
  Dims count;
  /// The counts, without shrunk dimensions and with new ones.
  Shape shape;
};

/// The elements that slice() takes. Lists shorter than the rank are filled: begin with 0, size with -1, which
/// means "to the end". Throws TensorFlow.js's messages where the slice would leave the input.
Slicing slicing_of(const Shape& input, const SliceAttrs& attrs);

/// The elements that stridedSlice() takes, masks resolved as in TensorFlow
/// (tensorflow/core/util/strided_slice_op.cc): bit i of a mask is about entry i of the lists, and an index
/// out of range is moved to the nearest in range.
Slicing slicing_of(const Shape& input, const StridedSliceAttrs& attrs);

}  // namespace tenure
