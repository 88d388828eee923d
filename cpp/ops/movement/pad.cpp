#include <limits>

#include "ops/autodiff/gradient.h"
#include "ops/dtypes.h"
#include "ops/infer.h"
#include "ops/ops.h"
#include "ops/tensor1d.h"

namespace tenure::infer {
namespace {

TensorSpec padded(const Tensor& x, const Dims& before, const Dims& after) {
  Shape shape = x.shape();
  for (int i = 0; i < shape.size(); ++i) {
    const std::int64_t extent = std::int64_t{before[i]} + shape[i] + after[i];
    check_shape(extent <= std::numeric_limits<std::int32_t>::max(), "the result would have ", extent,
                " elements along axis ", i);
    shape[i] = static_cast<std::int32_t>(extent);
  }
  return {shape, x.dtype()};
}

void check_lengths(const Tensor& x, const Dims& before, const Dims& after) {
  check_shape(before.size() == x.rank() && after.size() == x.rank(), "expected ", x.rank(),
              " pairs of paddings, one for each dimension, got ", before.size(), " before and ", after.size(),
              " after");
}

}  // namespace

TensorSpec pad(Inputs in, const PadAttrs& attrs) {
  const Tensor& x = in[0];
  check_shape(x.rank() > 0, "pad(scalar) is not defined. Pass non-scalar to pad");
  check_lengths(x, attrs.before, attrs.after);
  for (int i = 0; i < x.rank(); ++i) {
    check_shape(attrs.before[i] >= 0 && attrs.after[i] >= 0, "expected paddings of 0 or more, got [",
                attrs.before[i], ",", attrs.after[i], "] in dimension ", i);
  }
  return padded(x, attrs.before, attrs.after);
}

TensorSpec mirror_pad(Inputs in, const MirrorPadAttrs& attrs) {
  const Tensor& x = in[0];
  check_shape(x.rank() > 0, "mirrorPad(scalar) is not defined. Pass non-scalar to mirrorPad");
  check_lengths(x, attrs.before, attrs.after);
  for (int i = 0; i < x.rank(); ++i) {
    // Reflecting skips the border itself, so one element less is available. An axis without elements takes no
    // padding.
    const std::int32_t most = std::max(x.dim(i) - (attrs.symmetric ? 0 : 1), 0);
    check_shape(
        attrs.before[i] >= 0 && attrs.before[i] <= most && attrs.after[i] >= 0 && attrs.after[i] <= most,
        "Padding in dimension ", i, " cannot be greater than ", most, " or less than 0 for input of shape ",
        x.shape(), ", got [", attrs.before[i], ",", attrs.after[i], "]");
  }
  return padded(x, attrs.before, attrs.after);
}

}  // namespace tenure::infer

namespace tenure::grad {

Tensors pad(const GradientArgs& args, const PadAttrs& attrs) {
  return {slice(args.g, {attrs.before, args.in[0].shape()})};
}

// Includes the gradients of the mirrored borders, which TensorFlow.js leaves out.
Tensors mirror_pad(const GradientArgs& args, const MirrorPadAttrs& attrs) {
  Tensor g = args.g;
  for (int axis = 0; axis < g.rank(); ++axis) {
    const std::int32_t extent = args.in[0].dim(axis);
    if (extent == g.dim(axis)) continue;
    std::vector<std::int32_t> sources;
    const std::int32_t turn = attrs.symmetric ? 1 : 0;
    for (std::int32_t i = 0; i < g.dim(axis); ++i) {
      const std::int32_t at = i - attrs.before[axis];
      sources.push_back(at < 0 ? -at - turn : at >= extent ? 2 * (extent - 1) - at + turn : at);
    }
    g = unsorted_segment_sum(g, tensor1d(sources), {.segments = extent, .axis = axis});
  }
  return {g};
}

}  // namespace tenure::grad
