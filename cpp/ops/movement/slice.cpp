#include "shape_util/slice.h"
#include "ops/autodiff/gradient.h"
#include "ops/dtypes.h"
#include "ops/infer.h"
#include "ops/movement/slice.h"
#include "ops/ops.h"
#include "ops/tensor1d.h"

namespace tenure::infer {

TensorSpec slice(Inputs in, const SliceAttrs& attrs) {
  return {get_slice_bounds(in[0].shape(), attrs).shape, in[0].dtype()};
}

TensorSpec strided_slice(Inputs in, const StridedSliceAttrs& attrs) {
  return {get_slice_bounds(in[0].shape(), attrs).shape, in[0].dtype()};
}

}  // namespace tenure::infer

namespace tenure {

Tensor slice_axis(const Tensor& x, int axis, std::int32_t begin, std::int32_t size) {
  SliceAttrs attrs;
  for (int i = 0; i < x.rank(); ++i) {
    attrs.begin.push_back(i == axis ? begin : 0);
    attrs.size.push_back(i == axis ? size : x.dim(i));
  }
  return slice(x, attrs);
}

namespace grad {
namespace {

/// Returns the elements of a slice at their original positions along one axis, with zeros elsewhere.
Tensor scatter_along_axis(const Tensor& g, const Slicing& slicing, int axis, std::int32_t extent) {
  const std::int32_t begin = slicing.begin[axis];
  const std::int32_t count = slicing.count[axis];
  if (begin == 0 && count == extent && slicing.stride[axis] == 1) return g;
  if (slicing.stride[axis] == 1) {
    PadAttrs pads;
    for (int i = 0; i < g.rank(); ++i) {
      pads.before.push_back(i == axis ? begin : 0);
      pads.after.push_back(i == axis ? extent - begin - count : 0);
    }
    return pad(g, pads);
  }
  std::vector<std::int32_t> indices;
  indices.reserve(static_cast<std::size_t>(count));
  for (std::int32_t i = 0; i < count; ++i) indices.push_back(begin + i * slicing.stride[axis]);
  return unsorted_segment_sum(g, tensor1d(indices), {.segments = extent, .axis = axis});
}

Tensors scatter_slice(const GradientArgs& args, const Slicing& slicing) {
  const Shape& shape = args.in[0].shape();
  Tensor g = reshape(args.g, {slicing.count});
  for (int i = 0; i < shape.rank; ++i) g = scatter_along_axis(g, slicing, i, shape[i]);
  return {g};
}

}  // namespace

Tensors slice(const GradientArgs& args, const SliceAttrs& attrs) {
  return scatter_slice(args, get_slice_bounds(args.in[0].shape(), attrs));
}

Tensors strided_slice(const GradientArgs& args, const StridedSliceAttrs& attrs) {
  return scatter_slice(args, get_slice_bounds(args.in[0].shape(), attrs));
}

}  // namespace grad
}  // namespace tenure
