#include "ops/autodiff/slice_gradients.h"

#include <cstddef>

#include "ops/ops.h"
#include "shape_util/slice.h"

namespace tenure {
namespace {

constexpr int kMultipleAxes = -1;

/// Returns the axis along which a slice is shorter than the whole; 0 if there is none, kMultipleAxes if there
/// are several.
int get_sliced_axis(const Shape& whole, const Shape& slice) {
  int axis = 0;
  int shorter = 0;
  for (int i = 0; i < whole.rank; ++i) {
    if (slice[i] == whole[i]) continue;
    axis = i;
    ++shorter;
  }
  return shorter > 1 ? kMultipleAxes : axis;
}

}  // namespace

bool SliceGradients::try_add(const Shape& whole, const SliceAttrs& attrs, const Tensor& gradient) {
  if (gradient.dtype() != DType::kFloat32 || whole.rank == 0) return false;
  const int axis = get_sliced_axis(whole, gradient.shape());
  if (axis == kMultipleAxes || (!empty() && axis != axis_)) return false;
  const std::int32_t begin = get_slice_bounds(whole, attrs).begin[axis];
  // A backward walk usually reaches the last slice first, so the search starts at the lowest begin.
  std::size_t at = begins_.size();
  while (at > 0 && begins_[at - 1] < begin) --at;
  if (at > 0 && begin + gradient.dim(axis) > begins_[at - 1]) return false;
  if (at < begins_.size() && get_end(at) > begin) return false;
  whole_ = whole;
  axis_ = axis;
  const auto offset = static_cast<std::ptrdiff_t>(at);
  gradients_.insert(gradients_.begin() + offset, gradient);
  begins_.insert(begins_.begin() + offset, begin);
  return true;
}

Tensor SliceGradients::zeros(std::int32_t extent) const {
  Shape shape = whole_;
  shape[axis_] = extent;
  return fill({.shape = shape});
}

Tensor SliceGradients::pad_one() const {
  if (gradients_[0].shape() == whole_) return gradients_[0];
  PadAttrs pads;
  for (int i = 0; i < whole_.rank; ++i) {
    pads.before.push_back(i == axis_ ? begins_[0] : 0);
    pads.after.push_back(i == axis_ ? whole_[i] - get_end(0) : 0);
  }
  return pad(gradients_[0], pads);
}

Tensor SliceGradients::concat_gradients() {
  if (gradients_.size() == 1) return pad_one();
  Tensors pieces;
  std::int32_t end = 0;
  for (std::size_t i = gradients_.size(); i-- > 0;) {
    if (begins_[i] > end) pieces.push_back(zeros(begins_[i] - end));
    pieces.push_back(gradients_[i]);
    end = get_end(i);
  }
  if (end < whole_[axis_]) pieces.push_back(zeros(whole_[axis_] - end));
  return concat(pieces, {axis_});
}

}  // namespace tenure
