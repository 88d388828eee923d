#pragma once

#include "core/attrs.h"

namespace tenure {

/// Bounds of a slice: along each dimension of the input, `count` elements from `begin` on, `stride` apart.
struct Slicing {
  Dims begin;
  Dims stride;
  Dims count;
  /// The output's shape: the counts, without shrunk dimensions and with new ones.
  Shape shape;
};

/// Returns the bounds of slice(). Lists shorter than the rank are filled: begin with 0, size with -1, which
/// means "to the end". Throws TensorFlow.js's messages if the slice leaves the input.
Slicing get_slice_bounds(const Shape& input, const SliceAttrs& attrs);

/// Returns the bounds of stridedSlice(), with masks resolved as in TensorFlow
/// (tensorflow/core/util/strided_slice_op.cc): bit i of a mask is about entry i of the lists, and an index
/// out of range is clamped.
Slicing get_slice_bounds(const Shape& input, const StridedSliceAttrs& attrs);

}  // namespace tenure
