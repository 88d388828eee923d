#pragma once

#include <cstdint>
#include <vector>

#include "core/run/op.h"

namespace tenure {

/// The gradients of slices of one tensor that lie beside one another along an axis, as the steps of a
/// sequence and the gates of a cell do. Together they take one pass over the tensor's gradient; each on its
/// own, put back among zeros and added up, would take two.
class SliceGradients {
 public:
  /// Takes the gradient of a slice of a tensor of this shape; refuses one along several axes, along another
  /// axis than those before, or which overlaps one of them.
  bool take(const Shape& whole, const SliceAttrs& attrs, const Tensor& gradient);
  bool empty() const { return gradients_.empty(); }
  /// The gradient of the tensor as far as it follows from the slices.
  Tensor join();

 private:
  Tensor pad_one() const;
  Tensor zeros(std::int32_t extent) const;
  std::int32_t end_of(std::size_t i) const { return begins_[i] + gradients_[i].dim(axis_); }

  Shape whole_;
  int axis_ = 0;
  // The last of the tensor comes first.
  Tensors gradients_;
  std::vector<std::int32_t> begins_;
};

}  // namespace tenure
