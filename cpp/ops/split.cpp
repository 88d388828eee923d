#include "core/error.h"
#include "ops/infer.h"
#include "ops/ops.h"

namespace tenure::composed {
namespace {

Tensor part(const Tensor& x, int axis, std::int32_t begin, std::int32_t size) {
  SliceAttrs attrs;
  for (int i = 0; i < x.rank(); ++i) {
    attrs.begin.push_back(i == axis ? begin : 0);
    attrs.size.push_back(i == axis ? size : x.dim(i));
  }
  return tenure::slice({&x}, attrs);
}

// The sizes with a -1, if there is one, replaced by what the others leave.
Dims resolve_sizes(const Dims& sizes, std::int32_t extent) {
  check_shape(!sizes.empty() && sizes.size() <= kMaxRank, "expected 1 to ", kMaxRank, " sizes, got ",
              sizes.size());
  Dims resolved = sizes;
  std::int64_t total = 0;
  int rest = -1;
  for (int i = 0; i < sizes.size(); ++i) {
    check_shape(sizes[i] >= -1, "expected sizes of 0 or more, got ", sizes);
    check_shape(sizes[i] >= 0 || rest < 0, "There should be only one negative value in split array.");
    if (sizes[i] < 0) rest = i;
    total += std::max(sizes[i], 0);
  }
  check_shape(rest < 0 ? total == extent : total <= extent,
              "The sum of sizes must match the size of the axis dimension, ", extent, ", got ", sizes);
  if (rest >= 0) resolved[rest] = static_cast<std::int32_t>(extent - total);
  return resolved;
}

}  // namespace

Tensors split(Inputs in, const SplitAttrs& attrs) {
  const Tensor& x = in[0];
  const int axis = normalize_axis(attrs.axis, x.rank());
  Tensors parts;
  std::int32_t begin = 0;
  for (const std::int32_t size : resolve_sizes(attrs.sizes, x.dim(axis))) {
    parts.push_back(part(x, axis, begin, size));
    begin += size;
  }
  return parts;
}

Tensors unstack(Inputs in, const AxisAttrs& attrs) {
  const Tensor& x = in[0];
  check_shape(attrs.axis >= -x.rank() && attrs.axis < x.rank(), "Axis = ", attrs.axis, " is not in [-",
              x.rank(), ", ", x.rank(), ")");
  const int axis = normalize_axis(attrs.axis, x.rank());
  Tensors parts;
  for (std::int32_t i = 0; i < x.dim(axis); ++i) {
    parts.push_back(tenure::squeeze(part(x, axis, i, 1), {Dims{axis}}));
  }
  return parts;
}

}  // namespace tenure::composed
