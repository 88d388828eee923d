#include "ops/slice_gradients.h"

#include <algorithm>
#include <utility>

#include "geometry/slice.h"
#include "ops/ops.h"

namespace tenure {
namespace {

constexpr int kSeveral = -1;

/// The axis along which a slice is shorter than the whole; the first where it is as long along all.
int axis_of(const Shape& whole, const Shape& slice) {
  int axis = 0;
  int shorter = 0;
  for (int i = 0; i < whole.rank; ++i) {
    if (slice[i] == whole[i]) continue;
    axis = i;
    ++shorter;
  }
  return shorter > 1 ? kSeveral : axis;
}

}  // namespace

bool SliceGradients::take(const Shape& whole, const SliceAttrs& attrs, const Tensor& gradient) {
  if (gradient.dtype() != DType::kFloat32 || whole.rank == 0) return false;
  const int axis = axis_of(whole, gradient.shape());
  if (axis == kSeveral || (!parts_.empty() && axis != axis_)) return false;
  const Slicing slicing = slicing_of(whole, attrs);
  const std::int32_t begin = slicing.begin[axis];
  const auto at = std::upper_bound(parts_.begin(), parts_.end(), begin,
                                   [](std::int32_t value, const Part& part) { return value < part.begin; });
  if (at != parts_.end() && begin + gradient.dim(axis) > at->begin) return false;
  if (at != parts_.begin() && std::prev(at)->begin + std::prev(at)->gradient.dim(axis) > begin) return false;
  whole_ = whole;
  axis_ = axis;
  parts_.insert(at, {begin, gradient});
  return true;
}

Tensor SliceGradients::zeros(std::int32_t extent) const {
  Shape shape = whole_;
  shape[axis_] = extent;
  return fill({.shape = shape});
}

Tensor SliceGradients::join() {
  const std::vector<Part> parts = std::exchange(parts_, {});
  Tensors pieces;
  std::int32_t end = 0;
  for (const Part& part : parts) {
    if (part.begin > end) pieces.push_back(zeros(part.begin - end));
    pieces.push_back(part.gradient);
    end = part.begin + part.gradient.dim(axis_);
  }
  if (end < whole_[axis_]) pieces.push_back(zeros(whole_[axis_] - end));
  return pieces.size() == 1 ? pieces[0] : concat(pieces, {axis_});
}

}  // namespace tenure
