#pragma once

#include <cstdint>
#include <vector>

#include "core/run/op.h"

namespace tenure {

/// Gradients of slices of one tensor that do not overlap along one axis, such as the steps of a sequence and
/// the gates of a cell. Joining them takes one pass over the tensor's gradient. Padding each with zeros and
/// adding them up would need two passes per slice.
class SliceGradients {
 public:
  /// Adds the gradient of a slice of a tensor of shape `whole` and returns true. Returns false if the
  /// gradient is not float32, or if the slice is shorter along several axes, lies along another axis than the
  /// slices before, or overlaps one of them.
  bool try_add(const Shape& whole, const SliceAttrs& attrs, const Tensor& gradient);
  bool empty() const { return gradients_.empty(); }
  /// Returns the gradient of the tensor that results from the slices, with zeros elsewhere.
  Tensor concat_gradients();

 private:
  Tensor pad_one() const;
  Tensor zeros(std::int32_t extent) const;
  std::int32_t get_end(std::size_t i) const { return begins_[i] + gradients_[i].dim(axis_); }

  Shape whole_;
  int axis_ = 0;
  // Both in descending order of the begins.
  Tensors gradients_;
  std::vector<std::int32_t> begins_;
};

}  // namespace tenure
