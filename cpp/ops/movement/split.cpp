#include <algorithm>

#include "core/error.h"
#include "ops/infer.h"
#include "ops/movement/slice.h"
#include "ops/ops.h"

namespace tenure::composed {
namespace {

// Returns the size that a -1 in `sizes` stands for. Throws unless the sizes match `extent`.
std::int32_t get_remaining(std::span<const std::int32_t> sizes, std::int32_t extent) {
  check_shape(!sizes.empty(), "expected sizes, got none");
  std::int64_t total = 0;
  int open = 0;
  for (const std::int32_t size : sizes) {
    check_shape(size >= -1, "expected sizes of 0 or more, got ", size);
    open += size < 0;
    total += std::max(size, 0);
  }
  check_shape(open <= 1, "There should be only one negative value in split array.");
  check_shape(open == 0 ? total == extent : total <= extent,
              "The sum of sizes must match the size of the axis dimension, ", extent, ", got ", total);
  return static_cast<std::int32_t>(extent - total);
}

}  // namespace

Tensors split(const Tensor& x, const SplitAttrs& attrs) {
  const int axis = normalize_axis(attrs.axis, x.rank());
  const std::int32_t rest = get_remaining(attrs.sizes, x.dim(axis));
  Tensors parts;
  std::int32_t begin = 0;
  for (std::int32_t size : attrs.sizes) {
    if (size < 0) size = rest;
    parts.push_back(slice_axis(x, axis, begin, size));
    begin += size;
  }
  return parts;
}

Tensors unstack(const Tensor& x, const AxisAttrs& attrs) {
  check_shape(attrs.axis >= -x.rank() && attrs.axis < x.rank(), "Axis = ", attrs.axis, " is not in [-",
              x.rank(), ", ", x.rank(), ")");
  const int axis = normalize_axis(attrs.axis, x.rank());
  Tensors parts;
  for (std::int32_t i = 0; i < x.dim(axis); ++i) {
    parts.push_back(tenure::squeeze(slice_axis(x, axis, i, 1), {Dims{axis}}));
  }
  return parts;
}

}  // namespace tenure::composed
